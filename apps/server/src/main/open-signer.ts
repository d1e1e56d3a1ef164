import {
  awsKmsSigner,
  type DigestSigner,
  googleKmsSigner,
  KeystoreError,
  openKeystore,
  rawKeySigner,
  SignerUnavailable,
} from '@dct/chain-clients/signers/index'
import { askHidden } from '../platform/ask-hidden.ts'
import { SettingsError } from './config.ts'
import type { KeySource } from './settings/key-sources.ts'

/**
 * Opens the key of a sender. If no setting names the passphrase of a keystore, asks for it at the terminal.
 * @throws SettingsError that names the setting to fix; SignerUnavailable if a key service does not answer
 */
export async function openSigner(source: KeySource): Promise<DigestSigner> {
  switch (source.kind) {
    case 'raw':
      return rawKeySigner(source.privateKey)
    case 'keystore':
      return openWithPassphrase(source)
    case 'kms':
      return openAtService(source)
  }
}

async function openAtService(source: Extract<KeySource, { kind: 'kms' }>): Promise<DigestSigner> {
  const { setting, service, name } = source
  try {
    return await (service === 'aws' ? awsKmsSigner(name) : googleKmsSigner(name))
  } catch (error) {
    const message = error instanceof Error ? `${setting} can't be used. ${error.message}` : ''
    if (error instanceof SignerUnavailable) throw new SignerUnavailable(message, { cause: error })
    // The key is on another curve.
    if (error instanceof RangeError) throw new SettingsError(message)
    throw error
  }
}

async function openWithPassphrase(
  source: Extract<KeySource, { kind: 'keystore' }>,
): Promise<DigestSigner> {
  const { setting, keystore, passphraseSetting } = source
  const passphrase = source.passphrase ?? (await askHidden(`Passphrase of ${setting}:`))
  if (passphrase === undefined) {
    throw new SettingsError(
      `${passphraseSetting} is missing, and there is no terminal to ask for the passphrase of ${setting}`,
    )
  }
  try {
    return await openKeystore(keystore, passphrase)
  } catch (error) {
    if (!(error instanceof KeystoreError)) throw error
    throw new SettingsError(`${setting} can't be opened. ${error.message}`)
  }
}
