import { encodeCall } from '@dct/chain-clients/senders/index'
import {
  type DigestSigner,
  SignerUnavailable,
  WrongSignature,
} from '@dct/chain-clients/signers/index'
import { tokenAbi } from '@dct/contract-abi'
import { formatUnits } from '@dct/money'
import { formatEvmAddress } from '@dct/rules/addresses'
import { decodeFunctionResult, type Hex, keccak256, stringToHex } from 'viem'
import { bytesOf } from '../../modules/chain/index.ts'
import { GAS_PER_PAYOUT, gasNeeded } from '../../modules/treasury/index.ts'
import type { Chains } from '../chains/chains.ts'
import { type Config, SettingsError } from '../config.ts'
import { requireSame } from '../loops/sender-loops.ts'
import { openSigner } from '../open-signer.ts'
import type { KeySource } from '../settings/key-sources.ts'
import { shownTron } from '../tron-addresses.ts'
import { advice, type Finding, fine, judge, judgeAll } from './finding.ts'

type Deps = {
  config: Config
  chains: Pick<Chains, 'tron' | 'bsc'>
  /** Undefined if the reward contract could not be read. */
  operator: Hex | undefined
  /** Undefined if the vault could not be read. */
  payoutOperator: Hex | undefined
}

/** The digest of a sentence, which no transaction can have. */
const NOTHING = keccak256(stringToHex('npm run doctor asks whether this key can sign.'))
const [TRX_DECIMALS, ETHER_DECIMALS] = [6, 18]

/**
 * Examines the keys and addresses: present, readable, the right ones, permitted to sign, funded; and the fee receiver.
 */
export async function examineKeys({
  config,
  chains,
  operator,
  payoutOperator,
}: Deps): Promise<Finding[]> {
  const { tron, bsc } = chains
  const { operatorKey } = config.tron
  const { payoutKey } = config.bsc
  return [
    ...(await examineKey('TRON_OPERATOR', operatorKey, operator)),
    ...(await examineKey('BSC_PAYOUT', payoutKey, payoutOperator)),
    ...(operator === undefined ? [] : await examineOperator(tron, operator)),
    ...(payoutOperator === undefined ? [] : await examinePayouts(bsc, payoutOperator)),
    await examineReceiver(bsc),
  ]
}

async function examineKey(
  setting: string,
  source: KeySource | undefined,
  wanted: Hex | undefined,
): Promise<Finding[]> {
  const name = 'key.opens'
  if (source === undefined) {
    return [
      advice(
        'key.given',
        setting,
        'No key is set: a process with these settings sends nothing. The worker needs it.',
      ),
    ]
  }
  if (source.kind === 'keystore' && source.passphrase === undefined && !process.stdin.isTTY) {
    return [
      advice(
        name,
        source.setting,
        `Not opened: ${source.passphraseSetting} is not set, and there is no terminal to ask for it.`,
      ),
    ]
  }
  return [
    await judge(name, source.setting, async () => {
      const signer = await openSigner(source)
      await requireSigning(source, signer)
      if (wanted !== undefined) requireSame(source, signer.address, wanted)
      return `The key of ${shownTron(signer.address)} (${shownBsc(signer.address)}) signs.`
    }),
  ]
}

async function requireSigning({ setting }: KeySource, signer: DigestSigner): Promise<void> {
  try {
    await signer.signDigest(NOTHING)
  } catch (error) {
    if (!(error instanceof SignerUnavailable || error instanceof WrongSignature)) throw error
    throw new SettingsError(`${setting} cannot sign: ${error.message}`)
  }
}

async function examineOperator({ node }: Chains['tron'], operator: Hex): Promise<Finding[]> {
  const subject = shownTron(operator)
  const permission = await judge('key.permission', subject, async () => {
    const { isActivated, threshold, weight } = await node.permission(operator)
    if (!isActivated) {
      throw new SettingsError('The operator’s account does not exist yet: send it TRX.')
    }
    if (weight < threshold) {
      throw new SettingsError(
        `The operator’s key has the weight ${weight}, and its account needs ${threshold} to sign: give its owner permission back to this key alone.`,
      )
    }
    return 'The operator’s key alone can sign for its account.'
  })
  const funds = await judge('key.trx', subject, async () => {
    const { sun } = await node.resources(operator)
    return requireGas({ held: sun, cost: GAS_PER_PAYOUT.TRX, decimals: TRX_DECIMALS, unit: 'TRX' })
  })
  return [permission, funds]
}

async function examinePayouts(
  { node, reader, usdt, vault }: Chains['bsc'],
  payoutOperator: Hex,
): Promise<Finding[]> {
  const gas = await judge('key.bnb', shownBsc(payoutOperator), async () => {
    const held = await node.balanceOf(payoutOperator)
    return requireGas({ held, cost: GAS_PER_PAYOUT.BNB, decimals: ETHER_DECIMALS, unit: 'BNB' })
  })
  const funds = await judge('vault.usdt', shownBsc(vault), async () => {
    const call = { to: usdt, data: encodeCall(tokenAbi, 'balanceOf', [vault]) }
    const [data = '0x'] = (await reader.finalCall([call])).results
    if (data === '0x')
      throw new SettingsError('BSC_USDT is not a token, so the balance is unknown.')
    const held = decodeFunctionResult({ abi: tokenAbi, functionName: 'balanceOf', data })
    const text = `The vault holds ${formatUnits(held, ETHER_DECIMALS, 0)} USDT`
    if (held === 0n) throw new SettingsError(`${text}: send it enough for a day of payouts.`)
    return `${text}.`
  })
  return [gas, funds]
}

function requireGas(gas: { held: bigint; cost: bigint; decimals: number; unit: string }): string {
  const { held, cost, decimals, unit } = gas
  const { needed, least } = gasNeeded(0, cost)
  const [has, low, comfortable] = [held, least, needed].map((amount) =>
    formatUnits(amount, decimals, 0),
  )
  const text = `It holds ${has} ${unit}`
  if (held < least) throw new SettingsError(`${text}: send at least ${low}, better ${comfortable}.`)
  return held < needed ? `${text}; an alarm asks for more below ${comfortable}.` : `${text}.`
}

async function examineReceiver({ reader, receiver }: Chains['bsc']): Promise<Finding> {
  const [name, subject] = ['receiver.kind', 'BSC_RECEIVER']
  const [found] = await judgeAll(name, subject, async () => [
    (await reader.code(receiver)) === '0x'
      ? fine(name, subject, `${shownBsc(receiver)} is the address of a key, not of a contract.`)
      : advice(
          name,
          subject,
          `${shownBsc(receiver)} is a contract: make sure that you can move USDT out of it.`,
        ),
  ])
  return found
}

function shownBsc(address: Hex): string {
  return formatEvmAddress(bytesOf(address))
}
