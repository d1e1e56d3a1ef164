import type {
  ChallengeBody,
  ChallengeReply,
  LoginReply,
  RegisterReply,
  StepUpReply,
} from '@dct/api-contract/auth'
import { api } from '../api/client.ts'
import { i18n } from '../i18n/texts.ts'
import { randomId } from '../lib/random-id.ts'
import { deviceMemory } from '../storage/memory.ts'

type Sign = (message: string) => Promise<string>
type Registration = { tronAddress: string; email: string; referrerCode: string }

const DEVICE_KEY = 'device'
/** What the service accepts. */
const DEVICE = /^[\w-]{16,64}$/

/** Sends no token, not even one of an earlier session. */
const AS_VISITOR = { token: null }

/** Has the wallet sign the service's challenge and logs in. The reply is untrusted: its token may be missing. */
export async function logIn(
  tronAddress: string,
  sign: Sign,
): Promise<Pick<LoginReply, 'user'> & Partial<Pick<LoginReply, 'token'>>> {
  const proof = await prove({ tron_address: tronAddress, purpose: 'login' }, sign, AS_VISITOR)
  const body = { tron_address: tronAddress, ...proof, device: deviceId() }
  return api.post('/auth/login', body, AS_VISITOR)
}

/** Has the wallet sign the e-mail, referrer and terms, and registers. The terms count as accepted. */
export async function register(
  { tronAddress, email, referrerCode }: Registration,
  sign: Sign,
): Promise<Partial<RegisterReply>> {
  const claims = {
    tron_address: tronAddress,
    email,
    ...(referrerCode !== '' && { referrer_code: referrerCode }),
  }
  const proof = await prove({ ...claims, purpose: 'register' }, sign, AS_VISITOR)
  return api.post(
    '/auth/register',
    { ...claims, ...proof, accept_terms: true, terms_language: i18n.locale === 'id' ? 'id' : 'en' },
    AS_VISITOR,
  )
}

/** Has the wallet sign again, which unlocks the admins' money actions for some minutes. */
export async function stepUp(tronAddress: string, sign: Sign): Promise<StepUpReply> {
  const proof = await prove({ tron_address: tronAddress, purpose: 'step_up' }, sign)
  return api.post('/auth/step-up', proof)
}

async function prove(
  body: ChallengeBody,
  sign: Sign,
  options?: typeof AS_VISITOR,
): Promise<{ nonce: string; signature: string }> {
  const { message, nonce } = await api.post<ChallengeReply>('/auth/challenge', body, options)
  return { nonce, signature: await sign(message) }
}

/** A random ID of this browser, by which the service recognises a sign-in from a new device. */
function deviceId(): string {
  const known = deviceMemory.getItem(DEVICE_KEY) ?? ''
  if (DEVICE.test(known)) return known
  const id = randomId()
  deviceMemory.setItem(DEVICE_KEY, id)
  return id
}
