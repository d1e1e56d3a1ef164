import { isEnterable } from '@dct/rules/clean-text'
import { Ajv, type ValidateFunction } from 'ajv'
import formatsPlugin from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import type { FastifyValidationResult } from 'fastify/types/schema.js'
import { tidyQuery } from './lenient-query.ts'

const shared = {
  useDefaults: true,
  removeAdditional: false,
  allErrors: false,
  strict: false,
} as const
const exact = new Ajv({ ...shared, coerceTypes: false })
const fromText = new Ajv({ ...shared, coerceTypes: true })
for (const ajv of [exact, fromText]) formatsPlugin.default(ajv)

/**
 * Bodies are validated without conversion; queries, paths and headers arrive as text and are converted to their
 * schema's types, queries leniently. Unknown fields are refused, never dropped, and so is every text that a person
 * cannot have entered and the database cannot store.
 */
export const validatorCompiler: FastifySchemaCompiler<unknown> = ({ schema, httpPart }) => {
  const check = (httpPart === 'body' ? exact : fromText).compile(schema as object)
  return refusingOddTexts(check, httpPart === 'querystring' ? tidyQuery : undefined)
}

function refusingOddTexts(
  check: ValidateFunction,
  prepare: ((data: unknown) => void) | undefined,
): FastifyValidationResult {
  const validate: FastifyValidationResult = (data: unknown) => {
    prepare?.(data)
    const place = placeOfOddText(data, '')
    const isValid = place === undefined && check(data)
    validate.errors = place === undefined ? (check.errors ?? null) : [oddTextAt(place)]
    return isValid
  }
  return validate
}

/** The path of the first text, or field name, that cannot have been entered; undefined when there is none. */
function placeOfOddText(data: unknown, path: string): string | undefined {
  if (typeof data === 'string') return isEnterable(data) ? undefined : path
  if (typeof data !== 'object' || data === null) return undefined
  for (const [name, value] of Object.entries(data)) {
    if (!isEnterable(name)) return path
    const place = placeOfOddText(value, `${path}/${name}`)
    if (place !== undefined) return place
  }
  return undefined
}

function oddTextAt(instancePath: string) {
  return {
    instancePath,
    keyword: 'enterable',
    schemaPath: '#',
    params: {},
    message: 'is not valid',
  }
}
