import { createHmac, randomBytes } from 'node:crypto'
import type { Tx } from '../../platform/database/db.ts'
import { pinnedSecret } from '../../platform/database/pins.ts'

/** What the code of a claim proves: that this staker was asked for this amount, for rewards of this plan. */
export type Asked = { staker: Buffer; planCode: string; exact: bigint; receiver: Buffer }

const SALT_BYTES = 2
const PROOF_BYTES = 6

/** The key of the codes. Every backup has it, as it is older than all claims. */
export function claimCodeKey(tx: Tx): Promise<Buffer> {
  return pinnedSecret(tx, 'key of claim codes')
}

/**
 * `CL-` and 16 hex digits. The last twelve can only be made with the key: a database that lost a claim knows by its code
 * whose it was, and which payment was its fee.
 */
export function claimCode(key: Buffer, asked: Asked, salt = randomBytes(SALT_BYTES)): string {
  const { staker, planCode, exact, receiver } = asked
  const facts = [salt, staker, receiver].map((bytes) => bytes.toString('hex'))
  const proof = createHmac('sha256', key)
    .update([...facts, exact, planCode].join(' '))
    .digest()
  const digits = Buffer.concat([salt, proof.subarray(0, PROOF_BYTES)]).toString('hex')
  return `CL-${digits.toUpperCase()}`
}

/** Whether a claim with this code asked for that. */
export function isCodeOf(key: Buffer, code: string, asked: Asked): boolean {
  const [, salt] = /^CL-([\dA-F]{4})[\dA-F]{12}$/.exec(code) ?? []
  return salt !== undefined && claimCode(key, asked, Buffer.from(salt, 'hex')) === code
}
