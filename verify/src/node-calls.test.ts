import { payoutVaultAbi, tokenAbi } from '@dct/contract-abi'
import { getAbiItem, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { BALANCE_OF, OWED_ON } from './node-calls.ts'

test('the page calls what the contracts have', () => {
  expect(toFunctionSelector(getAbiItem({ abi: tokenAbi, name: 'balanceOf' }))).toBe(BALANCE_OF)
  expect(toFunctionSelector(getAbiItem({ abi: payoutVaultAbi, name: 'owedOn' }))).toBe(OWED_ON)
})
