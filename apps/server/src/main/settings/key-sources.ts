import type { Settings } from './schema.ts'
import type { KmsKey } from './value-types.ts'

/** Where the key of a sender is, and the setting that says so. */
export type KeySource = { setting: string } & (
  | {
      kind: 'keystore'
      keystore: string
      passphrase: string | undefined
      passphraseSetting: string
    }
  | { kind: 'raw'; privateKey: string }
  | ({ kind: 'kms' } & KmsKey)
)

/** The two keys that this service signs with. */
const KEYS = ['TRON_OPERATOR', 'BSC_PAYOUT'] as const
type Key = (typeof KEYS)[number]

/**
 * The end of the setting for each kind: keys are read only from files, but the name of a service's key is no secret.
 */
const KINDS = { KEYSTORE: '_KEYSTORE_FILE', KMS: '_KMS', KEY: '_KEY_FILE' } as const

/** One line for each key that is given in several ways, and for each passphrase without a keystore. */
export function wrongKeySources(s: Settings): string[] {
  return KEYS.flatMap((key) => {
    const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[]
    const given = kinds.filter((kind) => s[`${key}_${kind}`] !== undefined)
    const names = given.map((kind) => `${key}${KINDS[kind]}`)
    if (names.length > 1) return [`${names.join(' and ')} are all set: keep one`]
    return s[`${key}_PASSPHRASE`] !== undefined && s[`${key}_KEYSTORE`] === undefined
      ? [`${key}_KEYSTORE_FILE is missing: the keystore that ${key}_PASSPHRASE_FILE opens`]
      : []
  })
}

/** Where a key is; undefined for a process that doesn't sign with it. */
export function keySourceOf(s: Settings, key: Key): KeySource | undefined {
  const [keystore, kms, privateKey] = [s[`${key}_KEYSTORE`], s[`${key}_KMS`], s[`${key}_KEY`]]
  if (keystore !== undefined) {
    return {
      kind: 'keystore',
      setting: `${key}${KINDS.KEYSTORE}`,
      keystore,
      passphrase: s[`${key}_PASSPHRASE`],
      passphraseSetting: `${key}_PASSPHRASE_FILE`,
    }
  }
  if (kms !== undefined) return { kind: 'kms', setting: `${key}${KINDS.KMS}`, ...kms }
  if (privateKey === undefined) return undefined
  return { kind: 'raw', setting: `${key}${KINDS.KEY}`, privateKey }
}
