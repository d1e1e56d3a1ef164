import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { parse } from 'yaml'

type Operation = { responses: { 200: { content: { 'application/json': { schema: object } } } } }
type Description = { paths: Record<string, { get?: Operation; post?: Operation }> }
type RpcDescription = { methods: { name: string; result: { schema: object } }[] }

/** The public description of a real node's API, where it is at hand. It is no part of the project. */
const FOLDER =
  // biome-ignore lint/style/noProcessEnv: a test's own setting
  process.env.TRON_FIXTURES ?? resolve(import.meta.dirname, '../../../../../shared/fixtures/tron')

export const hasNodeDescription = existsSync(join(FOLDER, 'openapi.yaml'))
if (!hasNodeDescription) {
  console.warn(
    'SKIPPED: the replies of the Tron gateway are not compared with the description of a real ' +
      'node. Set TRON_FIXTURES to a folder with its openapi.yaml and openrpc.json.',
  )
}

/** What of a reply a real node would never answer; empty when all is well. */
export type ReplyCheck = (name: string, reply: unknown) => string[]

/** @returns a check by method and path, such as `post /wallet/getaccount` */
export function loadHttpDescription(): ReplyCheck {
  const text = readFileSync(join(FOLDER, 'openapi.yaml'), 'utf8')
  const description: Description = parse(text, allowSimilarContracts)
  const ajv = createAjv(description)
  return (name, reply) => {
    const [method = '', path = ''] = name.split(' ')
    const operation = description.paths[path]?.[method as 'get' | 'post']
    if (!operation) return [`a real node has no ${name}`]
    const pointer = ['paths', path, method, 'responses', '200', 'content', 'application/json']
    return check(ajv, [...pointer, 'schema'], reply)
  }
}

/** A contract's value may fit several kinds that have the same fields; the description says one. */
function allowSimilarContracts(key: unknown, value: unknown): unknown {
  const isValue = key === 'value' && typeof value === 'object' && value !== null
  return isValue && 'oneOf' in value ? { anyOf: value.oneOf } : value
}

/** @returns a check by method */
export function loadRpcDescription(): ReplyCheck {
  const description: RpcDescription = JSON.parse(readFileSync(join(FOLDER, 'openrpc.json'), 'utf8'))
  const ajv = createAjv(description)
  return (name, reply) => {
    const index = description.methods.findIndex((method) => method.name === name)
    if (index < 0) return [`a real node has no ${name}`]
    return check(ajv, ['methods', `${index}`, 'result', 'schema'], reply)
  }
}

const ID = 'node'

function createAjv(description: object): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  return ajv.addSchema({ ...description, $id: ID })
}

function check(ajv: Ajv2020, path: readonly string[], reply: unknown): string[] {
  const pointer = path.map((step) => encodeURIComponent(step.replaceAll('/', '~1'))).join('/')
  const validate = ajv.getSchema(`${ID}#/${pointer}`)
  if (!validate) return [`the description has no ${pointer}`]
  if (validate(reply)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }: ErrorObject) =>
      `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}
