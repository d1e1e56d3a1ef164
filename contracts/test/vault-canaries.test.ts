import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONTRACTS_DIR, compileContract } from '../scripts/solidity.ts'
import { type Chain, startChain } from './support/chain.ts'
import { fuzzVault, VaultFinding } from './support/vault-fuzz.ts'

/** Fixed, so that the test is deterministic. */
const SEED = '0x02'
const FILE = 'src/PayoutVault.sol'

let chain: Chain

beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => chain.stop())

/** Faults that a careless change could introduce: what is replaced, by what, and the law that the fuzz test names. */
const FAULTS: readonly { name: string; find: string; replace: string; law: string }[] = [
  {
    name: 'anybody pays',
    find: `if (msg.sender != _operator) revert PayoutVault_OnlyOperator(msg.sender);
        if (amount == 0)`,
    replace: 'if (amount == 0)',
    law: 'only the operator pays',
  },
  {
    name: 'a payment is made again',
    find: 'if (paid != paidBefore) revert',
    replace: 'if (paid != paidBefore && amount == 0) revert',
    law: 'a payment adds to what was stated as paid before',
  },
  {
    name: 'a payment counts for nothing',
    find: '_paid[claim.account][claim.kind] = paidAfter;',
    replace: '',
    law: 'a payment adds to what was stated as paid before',
  },
  {
    name: 'the total is ignored',
    find: 'if (paidAfter > most) revert',
    replace: 'if (amount > most) revert',
    law: 'an account is paid at most what was signed',
  },
  {
    name: 'the limit counts each payment alone',
    find: 'uint256 paidToday = _day() == _today ? _paidToday : 0;',
    replace: 'uint256 paidToday = 0;',
    law: 'a day has a limit',
  },
  {
    name: 'each payment begins a new day',
    find: 'today == _today ? _paidToday + amount : amount',
    replace: 'amount',
    law: 'a day has a limit',
  },
  {
    name: 'any signature will do',
    find: 'problem != ECDSA.RecoverError.NoError || signer != claim.account',
    replace: 'problem != ECDSA.RecoverError.NoError || signer == address(0)',
    law: 'a payment follows a claim as it was signed',
  },
  {
    name: 'the kind is not part of what is signed',
    find: 'kind == Kind.DIRECT ? "direct" : "non-direct"',
    replace: 'kind == Kind.DIRECT ? "direct" : "direct"',
    law: 'a payment follows a claim as it was signed',
  },
]

test.each(FAULTS)('the fuzz test finds the fault: $name', async ({ find, replace, law }) => {
  const source = readFileSync(join(CONTRACTS_DIR, FILE), 'utf8')
  expect(source.split(find)).toHaveLength(2)
  const replaced = new Map([[FILE, source.replace(find, replace)]])
  const { bytecode } = compileContract(FILE, { replaced, optimizer: { enabled: false, runs: 1 } })
  const run = fuzzVault(chain, { seed: SEED, calls: 1_200, bytecode })
  const finding = await run.catch((error: unknown) => error)
  expect(finding).toBeInstanceOf(VaultFinding)
  expect(finding).toMatchObject({ message: expect.stringContaining(law) })
})
