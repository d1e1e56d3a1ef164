import { SignerUnavailable } from '@dct/chain-clients/signers/index'
import { expect, test } from 'vitest'
import { SettingsError } from '../config.ts'
import { openLoop } from './sender-loops.ts'

test('[T077] a key service that does not answer at the start stops only signing, until it answers', async () => {
  let answers = false
  const loop = await openLoop('tron-sender', async () => {
    if (!answers) throw new SignerUnavailable('TRON_OPERATOR_KEY_KMS does not answer')
    return { name: 'tron-sender', step: async () => true }
  })
  expect(loop.name).toBe('tron-sender')
  await expect(loop.step()).rejects.toThrow('TRON_OPERATOR_KEY_KMS')
  answers = true
  expect(await loop.step()).toBe(true)
})

test('[T077] a key that is wrong, or cannot be opened, refuses the start', async () => {
  const open = () => Promise.reject(new SettingsError('the key of another address'))
  await expect(openLoop('tron-sender', open)).rejects.toThrow('the key of another address')
})
