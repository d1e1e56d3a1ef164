import {
  ChallengeBody,
  type ChallengeBody as ChallengeBodyType,
  ChallengeReply,
  LoginBody,
  LoginReply,
  MeReply,
  RegisterBody,
  RegisterReply,
} from '@dct/api-contract/auth'
import { formatTronAddress } from '@dct/rules/addresses'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { DbOrTx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { bearerToken, type SessionUser, userOf } from '../../platform/http/http.ts'
import {
  type ChallengeSubject,
  type CreateChallengeDeps,
  createChallenge,
  needsSession,
} from './create-challenge.ts'
import { type DescribeUsersDeps, describeUsers } from './describe-users.ts'
import { type LogInDeps, logIn } from './log-in.ts'
import { readTronAddress } from './read-address.ts'
import { type RegisterDeps, register } from './register.ts'
import { authenticate, type Client } from './sessions.ts'

export type AuthRoutesDeps = CreateChallengeDeps &
  RegisterDeps &
  LogInDeps &
  DescribeUsersDeps & {
    /** The mark of what a holder's pages show at this moment. */
    readChangeMark(db: DbOrTx, holder: { id: bigint; address: Buffer }): Promise<string>
  }

const PUBLIC = { role: 'public' } as const

/** Sign-in and registration by wallet, and the signed-in user. */
export const authRoutes: FastifyPluginAsyncTypebox<AuthRoutesDeps> = async (app, deps) => {
  const challenge = { body: ChallengeBody, response: { 200: ChallengeReply } }
  app.post('/auth/challenge', { schema: challenge, config: PUBLIC }, async (request) => {
    const address = readTronAddress(request.body.tron_address)
    const user = needsSession(request.body.purpose)
      ? await requireWallet(deps, request, address)
      : undefined
    const subject = subjectOf(request.body, user)
    const created = await createChallenge(deps, { address, ip: request.ip, subject })
    const { message, nonce, expiresAt } = created
    return { message, nonce, expires_at: expiresAt.toISOString() }
  })

  const login = { body: LoginBody, response: { 200: LoginReply } }
  app.post('/auth/login', { schema: login, config: PUBLIC }, async (request) => {
    const { tron_address, nonce, signature, device } = request.body
    const address = readTronAddress(tron_address)
    const client = { ...clientOf(request), device }
    const session = await logIn(deps, { address, nonce, signature, client })
    return {
      token: session.token,
      expires_at: session.expiresAt.toISOString(),
      user: await describeOne(deps, session.userId),
    }
  })

  const registration = { body: RegisterBody, response: { 200: RegisterReply } }
  app.post('/auth/register', { schema: registration, config: PUBLIC }, async (request) => {
    const { tron_address, email, referrer_code, nonce, signature, accept_terms, terms_language } =
      request.body
    const { referralCode, referrerAddress } = await register(deps, {
      address: readTronAddress(tron_address),
      email,
      referrerCode: referrer_code,
      hasAcceptedTerms: accept_terms === true,
      termsLanguage: terms_language ?? 'id',
      nonce,
      signature,
      ip: request.ip,
    })
    return {
      message: 'Successful registration',
      referral_code: referralCode,
      referrer_tron_address:
        referrerAddress === undefined ? null : formatTronAddress(referrerAddress),
    }
  })

  const me = { response: { 200: MeReply } }
  app.get('/auth/me', { schema: me, config: { role: 'any' } }, async (request) => {
    const caller = userOf(request)
    const [user, mark] = await Promise.all([
      describeOne(deps, caller.id),
      caller.role === 'user' ? deps.readChangeMark(deps.db, caller) : null,
    ])
    return { user, ...user, change_mark: mark }
  })
}

/**
 * The signed-in user, whose wallet must be the one of the challenge. @throws Refusal `NOT_SIGNED_IN`, `WRONG_WALLET`
 */
async function requireWallet(
  deps: AuthRoutesDeps,
  request: FastifyRequest,
  address: Buffer,
): Promise<SessionUser> {
  const token = bearerToken(request)
  const user = token === undefined ? undefined : await authenticate(deps, token)
  if (user === undefined) throw new Refusal('NOT_SIGNED_IN')
  if (!user.address.equals(address)) throw new Refusal('WRONG_WALLET')
  return user
}

/** @throws Refusal `BAD_REQUEST` for a missing field, `UNKNOWN_FIELD` for a field of another purpose */
function subjectOf(body: ChallengeBodyType, user: SessionUser | undefined): ChallengeSubject {
  const { purpose } = body
  switch (purpose) {
    case 'register':
      refuseOthers(body, ['email', 'referrer_code'])
      return {
        purpose,
        applicant: { email: body.email ?? '', referrerCode: body.referrer_code },
      }
    case 'referral_claim': {
      refuseOthers(body, ['usdt_address', 'type'])
      if (user === undefined) throw new Refusal('NOT_SIGNED_IN')
      const usdtAddress = requireField(body, 'usdt_address')
      return { purpose, userId: user.id, type: requireField(body, 'type'), usdtAddress }
    }
    case 'login':
    case 'step_up':
      refuseOthers(body, [])
      return { purpose }
  }
}

function refuseOthers(body: ChallengeBodyType, known: readonly string[]): void {
  const field = Object.keys(body).find(
    (name) => !['tron_address', 'purpose', ...known].includes(name),
  )
  if (field === undefined) return
  throw new Refusal(
    'UNKNOWN_FIELD',
    { field },
    `The field '${field}' does not belong to the purpose '${body.purpose}'.`,
  )
}

function requireField(body: ChallengeBodyType, field: 'usdt_address' | 'type'): string {
  const value = body[field]
  if (value === undefined) {
    throw new Refusal('BAD_REQUEST', { field }, `The field '${field}' is required.`)
  }
  return value
}

async function describeOne(deps: AuthRoutesDeps, userId: bigint) {
  const [user] = await describeUsers(deps, deps.db, [userId])
  if (user === undefined) throw new Refusal('NOT_SIGNED_IN')
  return user
}

function clientOf(request: FastifyRequest): Client {
  return { ip: request.ip, userAgent: request.headers['user-agent'] ?? '' }
}
