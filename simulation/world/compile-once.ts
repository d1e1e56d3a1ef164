/**
 * Compiles the API's schemas once a run. Each process of the service would compile them again, which takes longer than
 * most stories.
 */
import { createRequire } from 'node:module'
import { Ajv, type ValidateFunction } from 'ajv'

type Part = { schema: unknown }
type Compile = (part: Part) => unknown
type Factory = (external: unknown, options: unknown) => Compile

const COMPILER = '@fastify/fast-json-stringify-compiler'

/** From here on, apps of the same schemas share their validators and serializers, and name their plugins quickly. */
export function compileOnce(): void {
  shareValidators()
  shareSerializers()
}

function shareValidators(): void {
  const { compile } = Ajv.prototype
  const compiled = new WeakMap<object, Map<string, ValidateFunction>>()
  Ajv.prototype.compile = function (this: Ajv, schema: object) {
    const known = compiled.get(this) ?? new Map<string, ValidateFunction>()
    compiled.set(this, known)
    const key = JSON.stringify(schema)
    const validate = known.get(key) ?? compile.call(this, schema)
    known.set(key, validate)
    return validate
  } as typeof compile
}

function shareSerializers(): void {
  const load = createRequire(createRequire(import.meta.url).resolve('fastify'))
  const original = load(COMPILER) as () => Factory
  const cached = load.cache[load.resolve(COMPILER)]
  if (cached === undefined) throw new Error(`${COMPILER} is loaded`)
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

/**
 * For the name of each plugin, fastify looks through all modules that the cache lists: those that are loaded by now are
 * found from here on, but not listed.
 */
export function hideModules(): void {
  const { cache } = createRequire(import.meta.url)
  const hidden = Object.assign(Object.create(null), cache)
  for (const name of Object.keys(cache)) delete cache[name]
  Object.setPrototypeOf(cache, hidden)
}
