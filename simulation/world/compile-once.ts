/**
 * Compiles the API's answers once a run. Each process of the service would compile them again, which takes longer than
 * most stories.
 */
import { createRequire } from 'node:module'

type Part = { schema: unknown }
type Compile = (part: Part) => unknown
type Factory = (external: unknown, options: unknown) => Compile

const COMPILER = '@fastify/fast-json-stringify-compiler'

/** From here on, apps of the same schemas share their serializers, and name their plugins quickly. */
export function compileOnce(): void {
  const load = createRequire(createRequire(import.meta.url).resolve('fastify'))
  const original = load(COMPILER) as () => Factory
  const cached = load.cache[load.resolve(COMPILER)]
  if (cached === undefined) throw new Error(`${COMPILER} is loaded`)
  hideModules(load.cache)
  const compiled = new Map<string, unknown>()
  cached.exports = (): Factory => {
    const factory = original()
    return (external, options) => {
      const compile = factory(external, options)
      return (part) => {
        const key = JSON.stringify([part.schema, external])
        const known = compiled.get(key) ?? compile(part)
        compiled.set(key, known)
        return known
      }
    }
  }
}

/** For the name of each plugin, fastify looks through all modules that the cache lists: they are found, but not listed. */
function hideModules(cache: NodeJS.Dict<NodeJS.Module>): void {
  const hidden = Object.assign(Object.create(null), cache)
  for (const name of Object.keys(cache)) delete cache[name]
  Object.setPrototypeOf(cache, hidden)
}
