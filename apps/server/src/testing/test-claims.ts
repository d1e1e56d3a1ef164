import { formatEvmAddress } from '@dct/rules/addresses'
import { formatUnits, type Hex, keccak256, stringToBytes, stringToHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { SignedClaim } from '../modules/payouts/index.ts'
import type { DbOrTx } from '../platform/database/db.ts'
import { everything } from './all-tables.ts'
import type { Chains } from './sender-chains.ts'

const [USDT_DECIMALS, CHAIN_ID] = [18, 97]

/** What holds the vault that a claim names. */
type VaultWorld = { chains: Chains }

/** A referrer's wallet by name. Each vault has referrers of its own, so that tests share no accounts. */
export function testReferrer(
  world: VaultWorld,
  name: string,
): PrivateKeyAccount & { address: Hex } {
  // Tests without chains have no vault.
  const vault = (world.chains as Partial<Chains>).deployment?.bsc.payoutVault.toLowerCase()
  return privateKeyToAccount(keccak256(stringToHex(`${vault} ${name}`)))
}

/**
 * The claim that a payout of `givenUsdtPayout` pays, as its referrer signs it: for everything that is due to the account
 * up to this payout.
 */
export async function signTestClaim(
  world: VaultWorld,
  db: DbOrTx,
  payoutId: bigint,
): Promise<SignedClaim | undefined> {
  const due = await everything(db)
    .selectFrom('payout as p')
    .innerJoin('payout_account as a', 'a.id', 'p.account_id')
    .select(['p.amount', 'p.to_address', 'p.cause', 'a.holder', 'a.name'])
    .where('p.id', '=', payoutId)
    .executeTakeFirst()
  if (due === undefined) return undefined
  const names = [due.cause, due.cause.split('/')[0] ?? '']
  const holder = `0x${due.holder.toString('hex')}`
  const referrer = names
    .map((name) => testReferrer(world, name))
    .find(({ address }) => address.toLowerCase() === holder)
  if (referrer === undefined) return undefined
  const { sum } = await everything(db)
    .selectFrom('payout as p')
    .innerJoin('payout as own', 'own.account_id', 'p.account_id')
    .select((eb) => eb.fn.sum<bigint>('p.amount').as('sum'))
    .where('own.id', '=', payoutId)
    .where('p.id', '<=', payoutId)
    .where('p.state', '<>', 'returned')
    .executeTakeFirstOrThrow()
  return signClaim(world, referrer, {
    ...{ kind: due.name, claimed: due.amount, total: sum },
    to: due.to_address,
  })
}

async function signClaim(
  world: VaultWorld,
  referrer: PrivateKeyAccount,
  claim: { kind: string; claimed: bigint; total: bigint; to: Buffer },
): Promise<SignedClaim> {
  const { claimed, total } = claim
  const vault = Buffer.from(world.chains.deployment.bsc.payoutVault.slice(2), 'hex')
  const [opening, closing] = ['A test asks for a signature.', 'Nonce: 1']
  const statement =
    `Claim ${decimal(claimed)} USDT of my referral reward (${claim.kind === 'direct' ? 'direct' : 'non-direct'}), ` +
    `${decimal(total)} USDT with all earlier claims, to the BSC (BEP20) address ${formatEvmAddress(claim.to)}, ` +
    `from the vault ${formatEvmAddress(vault)} on chain ${CHAIN_ID}.`
  const text = stringToBytes([opening, statement, closing].join('\n\n'))
  const prefix = stringToBytes(`\x19TRON Signed Message:\n${text.length}`)
  const signature = await referrer.sign({ hash: keccak256(Buffer.concat([prefix, text])) })
  return { claimed, total, opening, closing, signature: Buffer.from(signature.slice(2), 'hex') }
}

function decimal(units: bigint): string {
  const [whole, rest = ''] = formatUnits(units, USDT_DECIMALS).split('.')
  return `${whole}.${rest.slice(0, 6).padEnd(6, '0')}`
}
