import type { MeReply } from '@dct/api-contract/auth'
import { tokenOf } from './test.ts'
import { recordedReply, type World } from './world.ts'

const LATER = '2030-01-01T00:00:00.000Z'
const ME = { user: 'GET /api/auth/me', admin: 'GET /api/auth/me admin' }

/** The message that a wallet signs, which names what it is for. */
export const messageFor = (purpose: string, address: string) => `For ${purpose}: ${address}`

/** Lets a wallet ask for a message to sign, log in as this role with it, and register. */
export function acceptSignatures(world: World, role: 'user' | 'admin' = 'user'): void {
  world.answer('POST /api/auth/challenge', ({ body }) => {
    const { purpose, tron_address } = body as { purpose: string; tron_address: string }
    return { message: messageFor(purpose, tron_address), nonce: 'n', expires_at: LATER }
  })
  world.answer('POST /api/auth/login', {
    ...{ token: tokenOf(role), expires_at: LATER },
    user: recordedReply<MeReply>(ME[role]).user,
  })
  world.answer('POST /api/auth/register', {
    ...{ message: 'Successful registration', referral_code: 'ABCD2345' },
    referrer_tron_address: null,
  })
}
