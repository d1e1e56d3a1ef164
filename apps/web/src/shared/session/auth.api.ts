import type {
  ChallengeBody,
  ChallengeReply,
  LoginReply,
  RegisterReply,
  StepUpReply,
} from '@dct/api-contract/auth'
import { api } from '../api/client.ts'

type Sign = (message: string) => Promise<string>
type Registration = { tronAddress: string; email: string; referrerCode: string }

/** Has the wallet sign the service's text and logs in. A token may be missing in a strange answer. */
export async function logIn(
  tronAddress: string,
  sign: Sign,
): Promise<Pick<LoginReply, 'user'> & Partial<Pick<LoginReply, 'token'>>> {
  const proof = await prove({ tron_address: tronAddress, purpose: 'login' }, sign)
  return api.post('/auth/login', { tron_address: tronAddress, ...proof }, { token: null })
}

/** Has the wallet sign e-mail, referrer and terms, and registers. The terms count as accepted. */
export async function register(
  { tronAddress, email, referrerCode }: Registration,
  sign: Sign,
): Promise<Partial<RegisterReply>> {
  const claims = {
    tron_address: tronAddress,
    email,
    ...(referrerCode !== '' && { referrer_code: referrerCode }),
  }
  const proof = await prove({ ...claims, purpose: 'register' }, sign)
  return api.post('/auth/register', { ...claims, ...proof, accept_terms: true }, { token: null })
}

/** Has the wallet sign once more, which opens what admins do with money for some minutes. */
export async function stepUp(tronAddress: string, sign: Sign): Promise<StepUpReply> {
  const { message, nonce } = await api.post<ChallengeReply>('/auth/challenge', {
    tron_address: tronAddress,
    purpose: 'step_up',
  } satisfies ChallengeBody)
  return api.post('/auth/step-up', { nonce, signature: await sign(message) })
}

async function prove(
  body: ChallengeBody,
  sign: Sign,
): Promise<{ nonce: string; signature: string }> {
  const { message, nonce } = await api.post<ChallengeReply>('/auth/challenge', body, {
    token: null,
  })
  return { nonce, signature: await sign(message) }
}
