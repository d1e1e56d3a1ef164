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
 * schema's types, queries leniently. Unknown fields are refused, never dropped.
 */
export const validatorCompiler: FastifySchemaCompiler<unknown> = ({ schema, httpPart }) => {
  if (httpPart === 'body') return exact.compile(schema as object)
  const check = fromText.compile(schema as object)
  return httpPart === 'querystring' ? leniently(check) : check
}

function leniently(check: ValidateFunction): FastifyValidationResult {
  const validate: FastifyValidationResult = (query: unknown) => {
    tidyQuery(query)
    const isValid = check(query)
    validate.errors = check.errors ?? null
    return isValid
  }
  return validate
}
