import { Ajv } from 'ajv'
import formatsPlugin from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'

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
 * Bodies are taken as they are; queries, paths and headers come as text and are read as their schema's type.
 * Unknown fields are refused, never dropped.
 */
export const validatorCompiler: FastifySchemaCompiler<unknown> = ({ schema, httpPart }) =>
  (httpPart === 'body' ? exact : fromText).compile(schema as object)
