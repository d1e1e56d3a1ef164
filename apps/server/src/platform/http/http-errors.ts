import { ERRORS, type ErrorCode } from '@dct/api-contract/errors'
import { NodeUnavailable } from '@dct/chain-clients'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isOutage, OutcomeUnknown, sqlState } from '../database/db.ts'
import { Refusal } from '../errors.ts'

type Issue = {
  instancePath: string
  keyword: string
  message?: string
  params?: Record<string, unknown>
}

/** Turns every error into `{message, code, details?}`. Callers never see a stack trace or a query. */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = error instanceof Refusal ? error : refusalOfOutage(error)
  if (refusal !== undefined) {
    if (refusal.status === 503) {
      // The caller learns only that nothing was done or that the outcome is unknown; the cause is for operators.
      const err = refusal.cause ?? refusal
      request.log.warn({ err, dependency: dependencyOf(err), ...placeOf(request) }, 'callNotServed')
    }
    return answerRefusal(refusal, reply)
  }
  const known = error as Partial<FastifyError> & {
    validation?: Issue[]
    validationContext?: string
  }
  if (known.validation !== undefined) {
    return reply
      .status(400)
      .send(describeIssues(known.validation, known.validationContext ?? 'body'))
  }
  const code = codeOf(known)
  if (code !== undefined)
    return reply.status(ERRORS[code].status).send({ message: ERRORS[code].message, code })
  if (known.code !== undefined && CALLER_LEFT.has(known.code)) return reply.status(499).send()
  request.log.error({ err: error, ...placeOf(request) }, 'request failed')
  return reply.status(500).send({
    message: 'Something went wrong on our side. Nothing was changed.',
    code: 'INTERNAL',
    details: { id: request.id },
  })
}

/** Answers a request that no route takes. @param methods those that its path does take */
export function answerUnknownRoute(reply: FastifyReply, methods: readonly string[]): FastifyReply {
  const code = methods.length === 0 ? 'NOT_FOUND' : 'METHOD_NOT_ALLOWED'
  if (methods.length > 0) void reply.header('allow', methods.join(', '))
  return reply.status(ERRORS[code].status).send({ message: ERRORS[code].message, code })
}

function refusalOfOutage(cause: unknown): Refusal | undefined {
  if (cause instanceof OutcomeUnknown)
    return new Refusal('OUTCOME_UNKNOWN', {}, undefined, { cause })
  return dependencyOf(cause) === undefined
    ? undefined
    : new Refusal('UNAVAILABLE', {}, undefined, { cause })
}

/**
 * SQLSTATE of a statement that other work stood in the way of: a transaction after all its tries, or a read of a replica
 * that would have held up its replay.
 */
const GIVEN_UP = '40001'

/** The dependency that did not answer; undefined when the error is not an outage. */
function dependencyOf(error: unknown): 'database' | 'node' | undefined {
  if (error instanceof NodeUnavailable) return 'node'
  return error instanceof OutcomeUnknown || isOutage(error) || sqlState(error) === GIVEN_UP
    ? 'database'
    : undefined
}

function placeOf({ routeOptions, id }: FastifyRequest) {
  return { route: routeOptions.url, id }
}

function answerRefusal(refusal: Refusal, reply: FastifyReply): FastifyReply {
  if (refusal.status === 429 || refusal.status === 503) {
    void reply.header('retry-after', String(refusal.facts.retryAfterSeconds ?? 5))
  }
  const details = Object.keys(refusal.facts).length === 0 ? {} : { details: refusal.facts }
  return reply
    .status(refusal.status)
    .send({ message: refusal.message, code: refusal.code, ...details })
}

function describeIssues(issues: readonly Issue[], where: string) {
  const issue = issues[0]
  const unknown = issue?.keyword === 'additionalProperties'
  const extra = String(issue?.params?.additionalProperty ?? '')
  const missing = issue?.keyword === 'required' ? String(issue.params?.missingProperty ?? '') : ''
  const name = [
    (issue?.instancePath ?? '').replace(/^\//, '').replaceAll('/', '.'),
    missing || extra,
  ]
    .filter((part) => part !== '')
    .join('.')
  const field = name === '' ? where : name
  if (unknown)
    return {
      message: `The field '${field}' is not known.`,
      code: 'UNKNOWN_FIELD',
      details: { field },
    }
  if (field === 'sort_by')
    return { message: ERRORS.BAD_SORT.message, code: 'BAD_SORT', details: { field } }
  const why = issue === undefined ? 'is not valid' : whyNot(issue)
  return { message: `The field '${field}' ${why}.`, code: 'BAD_REQUEST', details: { field } }
}

/** What is wrong with a value, in words for the person who entered it. */
function whyNot({ keyword, params }: Issue): string {
  const limit = String(params?.limit ?? '')
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'maxLength':
      return `is too long: at most ${limit} characters are possible`
    case 'minLength':
      return limit === '1' ? 'is empty' : `is too short: at least ${limit} characters are needed`
    case 'maximum':
      return `must be at most ${limit}`
    case 'minimum':
      return `must be at least ${limit}`
    case 'type':
      return `must be ${TYPE_NAMES[String(params?.type)] ?? 'of another type'}`
    default:
      return 'is not valid'
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
}

const BY_FASTIFY_CODE: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'JSON_EXPECTED',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'BAD_REQUEST',
  FST_ERR_CTP_INVALID_JSON_BODY: 'BAD_REQUEST',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'BAD_REQUEST',
}
/** SQLSTATEs for a text that the database cannot store: it contains a NUL or an incomplete character. */
const BAD_TEXT_STATES = new Set(['22021', '22P05'])
/** The caller closed the connection before the answer was complete: nobody waits for it, and nothing is wrong. */
const CALLER_LEFT = new Set(['UND_ERR_ABORTED', 'ERR_STREAM_PREMATURE_CLOSE'])

function codeOf(error: Partial<FastifyError>): ErrorCode | undefined {
  const state = sqlState(error)
  if (state !== undefined && BAD_TEXT_STATES.has(state)) return 'BAD_REQUEST'
  const known = error.code === undefined ? undefined : BY_FASTIFY_CODE[error.code]
  if (known !== undefined) return known
  return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
    ? 'BAD_REQUEST'
    : undefined
}
