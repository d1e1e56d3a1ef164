import { makeKeystore } from '@dct/chain-clients/signers/index'
import type { ChainHost } from '@dct/devnet/chains/index'
import { formatTronAddress } from '@dct/rules/addresses'
import { type Hex, pad } from 'viem'
import { startReceiver } from './receivers.ts'
import { deployVault, emptyAccount, tronAddressHex } from './sender-chains.ts'
import { type StandIn, startStandIn } from './stand-in-node.ts'

type Env = Record<string, string>
const NOBODY = 'http://127.0.0.1:1'
const NOWHERE = formatTronAddress(Buffer.alloc(20, 9))
/** A real scrypt cost would delay everything else on this machine. */
const CHEAP = { N: 2, r: 8, p: 1 }
const PASSPHRASE = 'correct horse battery staple'

export type Plant = {
  what: string
  /** The faults that it causes; the one that names the cause comes first. */
  finds: readonly string[]
  says: RegExp
  plant: () => Promise<Env> | Env
}

type World = {
  host: () => ChainHost
  /** Writes a secret to a separate file. @returns its path */
  fileWith(text: string): string
}

const answering = (status: number, body: string): StandIn => ({ reply: () => ({ status, body }) })
const view = (selector: string, output: string): StandIn => ({
  change: ({ path, body }, answer) =>
    path.endsWith('triggerconstantcontract') && body.data === selector
      ? { ...(answer as object), constant_result: [output] }
      : answer,
})
const rpcError = (method: string, code: number, message: string): StandIn => ({
  reply: (question) =>
    question.method === method
      ? {
          status: 200,
          body: JSON.stringify({ jsonrpc: '2.0', id: question.body.id, error: { code, message } }),
        }
      : undefined,
})
const changing = (method: string, change: (result: never) => unknown): StandIn => ({
  change: (question, answer) => (question.method === method ? change(answer as never) : answer),
})
const ofPath = (end: string, change: (answer: never) => unknown): StandIn => ({
  change: ({ path }, answer) => (path.endsWith(end) ? change(answer as never) : answer),
})
const asWord = (address: Hex) => pad(address).slice(2)

/** Faults in settings and in what they refer to, each in the otherwise sound installation of these chains. */
export function plantedFaults(world: World): Plant[] {
  return [
    ...faultsOfAnswers(world),
    ...faultsOfChains(world),
    ...faultsOfContracts(world),
    ...faultsOfKeys(world),
    ...faultsOfServices(),
  ]
}

function nodesOf(host: () => ChainHost) {
  const tronNode = (standIn: StandIn) => startStandIn(host().tronUrl, standIn)
  const bscNode = (standIn: StandIn) => startStandIn(host().bscUrl, standIn)
  const onlyTron = (url: string): Env => ({ TRON_FULL_HOST: url })
  /** The settings with the node at this URL as the third of three, of which two agree. */
  const thirdTron = (url: string): Env => ({
    TRON_FULL_HOST: `${host().tronUrl},${otherName(host().tronUrl)},${url}`,
  })
  const thirdBsc = (url: string): Env => ({
    BSC_RPC: `${host().bscUrl},${otherName(host().bscUrl)},${url}`,
  })
  const operatorHex = () => tronAddressHex(host().serviceKeys.operator.tronAddress)
  return { tronNode, bscNode, onlyTron, thirdTron, thirdBsc, operatorHex }
}

function faultsOfAnswers({ host }: World): Plant[] {
  const { tronNode, bscNode, thirdTron, thirdBsc } = nodesOf(host)
  return [
    {
      what: 'a missing setting',
      finds: ['settings.valid'],
      says: /^TRON_STAKING: TRON_STAKING is missing/,
      plant: () => ({ TRON_STAKING: '' }),
    },
    {
      what: 'a database that does not exist',
      finds: ['database.reachable'],
      says: /^DATABASE_URL: The database does not answer: .*ECONNREFUSED/,
      plant: () => ({ DATABASE_URL: 'postgres://dct:pw@127.0.0.1:1/dct' }),
    },
    {
      what: 'a node that does not exist',
      finds: ['node.silent'],
      says: /^TRON 127\.0\.0\.1:1: 127\.0\.0\.1:1 could not be reached \(\w+\)\. Fix TRON_FULL_HOST/,
      plant: () => thirdTron(NOBODY),
    },
    {
      what: 'a wrong API key of a provider',
      finds: ['node.refuses'],
      says: /^BSC .* refuses us with status 401.* Fix the key in NODE_HEADERS/,
      plant: async () => thirdBsc(await bscNode(answering(401, 'invalid api key'))),
    },
    {
      what: 'a provider that throttles requests',
      finds: ['node.throttles'],
      says: /^TRON .* asked us to slow down\. Lower NODE_REQUESTS_PER_SECOND/,
      plant: async () => thirdTron(await tronNode(answering(429, ''))),
    },
    {
      what: 'a nearly exhausted provider quota',
      finds: ['node.quota'],
      says: /^BSC .*the provider still allows 12 of 1000\./,
      plant: async () => {
        const headers = { 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': '12' }
        return thirdBsc(await bscNode({ headers }))
      },
    },
  ]
}

function faultsOfChains({ host }: World): Plant[] {
  const { tronNode, bscNode, thirdTron, thirdBsc } = nodesOf(host)
  return [
    {
      what: 'a node of another network',
      finds: ['node.network'],
      says: /^BSC .*It is a node of chain 56; the settings ask for chain 97\. Fix BSC_RPC/,
      plant: async () => thirdBsc(await bscNode(changing('eth_chainId', () => '0x38'))),
    },
    {
      what: 'a node that lags behind',
      finds: ['node.lag'],
      says: /^BSC .*newest final block, \d+, is 36\d\d s old\. Wait until it has caught up/,
      plant: async () =>
        thirdBsc(
          await bscNode(
            changing('eth_getBlockByNumber', (block: { timestamp: string }) => ({
              ...block,
              timestamp: `0x${(Number(block.timestamp) - 3_600).toString(16)}`,
            })),
          ),
        ),
    },
    {
      what: 'a node without log search',
      finds: ['node.offers'],
      says: /^BSC .*limit exceeded .*name a provider that offers it in BSC_RPC/,
      plant: async () =>
        thirdBsc(await bscNode(rpcError('eth_getLogs', -32_005, 'limit exceeded'))),
    },
    {
      what: 'a node without /walletsolidity',
      finds: ['node.offers'],
      says: /^TRON .*does not offer this call: status 404/,
      plant: async () =>
        thirdTron(
          await tronNode({
            reply: ({ path }) =>
              path.startsWith('/walletsolidity') ? { status: 404, body: 'no' } : undefined,
          }),
        ),
    },
    {
      what: 'a log index with gaps',
      finds: ['node.holes'],
      says: /^TRON .*finds no event of the contracts in blocks 1 to 100/,
      plant: async () => thirdTron(await tronNode(changing('eth_getLogs', () => []))),
    },
    {
      what: 'a provider plan that searches only a few blocks at once',
      finds: ['node.range'],
      says: /^BSC .*It searches 10 blocks for logs at once\. At least 25 are needed/,
      plant: async () =>
        thirdBsc(
          await bscNode({
            reply: ({ method, body }) => {
              const [filter] = (body.params ?? []) as { fromBlock: string; toBlock: string }[]
              const isWide = Number(filter?.toBlock) - Number(filter?.fromBlock) >= 10
              const error = { code: -32_000, message: 'eth_getLogs is limited to a 10 block range' }
              return method === 'eth_getLogs' && isWide
                ? { status: 200, body: JSON.stringify({ jsonrpc: '2.0', id: body.id, error }) }
                : undefined
            },
          }),
        ),
    },
  ]
}

function faultsOfContracts({ host }: World): Plant[] {
  const { tronNode, onlyTron, thirdTron, operatorHex } = nodesOf(host)
  return [
    {
      what: 'a token address without a token',
      finds: ['token.dct', 'contracts.bound'],
      says: /^TRON_TOKEN: TRON_TOKEN \(T\w+\) is not a token on this network/,
      plant: () => ({ TRON_TOKEN: NOWHERE }),
    },
    {
      what: 'a USDT address without USDT',
      finds: ['token.usdt', 'vault'],
      says: /^BSC_USDT: BSC_USDT \(0x\w+\) is not a token on this network/,
      plant: () => ({ BSC_USDT: `0x${'09'.repeat(20)}` }),
    },
    {
      what: 'a pair address without a pair',
      finds: ['price.pair'],
      says: /^PRICE_PAIR: PRICE_PAIR \(T\w+\) is not a pair of TRON_TOKEN and USDT/,
      plant: () => ({
        ...{ PRICE_PAIR: NOWHERE, PRICE_BOUNDS_USDT: '0.5-2' },
      }),
    },
    {
      what: 'a vault address without the vault',
      finds: ['vault'],
      says: /^BSC_PAYOUT_VAULT: BSC_PAYOUT_VAULT \(0x\w+\) is not the vault that this version was built with/,
      plant: () => ({ BSC_PAYOUT_VAULT: host().serviceKeys.owner.bscAddress }),
    },
    {
      what: 'swapped contracts',
      finds: ['contracts.bound', 'contracts.code'],
      says: /TRON_STAKING and TRON_REWARD_POOL are swapped: exchange the two/,
      plant: () => {
        const { staking, rewardPool } = host().deployment.tron
        return { TRON_STAKING: rewardPool, TRON_REWARD_POOL: staking }
      },
    },
    {
      what: 'contracts with different code',
      finds: ['contracts.code'],
      says: /TRON_STAKING \(T\w+\) runs other code than this version was built with/,
      plant: async () =>
        onlyTron(
          await tronNode(
            ofPath('/getcontractinfo', (answer: { runtimecode: string }) => ({
              runtimecode: answer.runtimecode.replace('6080', '6081'),
            })),
          ),
        ),
    },
    {
      what: 'contracts owned by a hot key',
      finds: ['contracts.owner', 'contracts.owner'],
      says: /^TRON_STAKING: Its owner, T\w+, is a key of this service: hand it to a cold wallet/,
      plant: async () => onlyTron(await tronNode(view('8da5cb5b', asWord(operatorHex())))),
    },
    {
      what: 'two nodes that name different owners',
      finds: ['node.silent'],
      says: /^TRON_STAKING, TRON_REWARD_POOL: Could not be examined: .+ disagree about figures/,
      plant: async () => ({
        ...thirdTron(await tronNode(view('8da5cb5b', asWord(operatorHex())))),
        TRON_NODES_AGREE: '3',
      }),
    },
    {
      what: 'an ownership transfer that was never accepted',
      finds: ['contracts.offered', 'contracts.offered'],
      says: /^TRON_STAKING: T\w+ has yet to accept its ownership/,
      plant: async () => onlyTron(await tronNode(view('e30c3978', asWord(operatorHex())))),
    },
  ]
}

function faultsOfKeys({ host, fileWith }: World): Plant[] {
  const { tronNode, onlyTron } = nodesOf(host)
  return [
    {
      what: 'a passphrase that does not open the keystore',
      finds: ['key.opens'],
      says: /^TRON_OPERATOR_KEYSTORE_FILE: TRON_OPERATOR_KEYSTORE_FILE can't be opened/,
      plant: async () => ({
        TRON_OPERATOR_KEY_FILE: '',
        TRON_OPERATOR_KEYSTORE_FILE: fileWith(
          await makeKeystore(host().serviceKeys.operator.tronPrivateKey, PASSPHRASE, CHEAP),
        ),
        TRON_OPERATOR_PASSPHRASE_FILE: fileWith('another passphrase'),
      }),
    },
    {
      what: 'the key of another address',
      finds: ['key.opens'],
      says: /^BSC_PAYOUT_KEY_FILE: BSC_PAYOUT_KEY_FILE holds the key of 0x\w+; the key of 0x\w+ is needed/,
      plant: () => ({ BSC_PAYOUT_KEY_FILE: fileWith(emptyAccount().privateKey) }),
    },
    {
      what: 'an account that its key cannot sign for alone',
      finds: ['key.permission'],
      says: /^T\w+: The operator’s key has the weight 1, and its account needs 2 to sign/,
      plant: async () =>
        onlyTron(
          await tronNode(
            ofPath('/getaccount', (account: { owner_permission: object }) => ({
              ...(account as object),
              owner_permission: { ...account.owner_permission, threshold: 2 },
            })),
          ),
        ),
    },
    {
      what: 'an operator without TRX',
      finds: ['key.trx'],
      says: /^T\w+: It holds 5 TRX: send at least 100, better 1000/,
      plant: async () =>
        onlyTron(
          await tronNode(
            ofPath('/getaccount', (account: object) => ({ ...account, balance: 5_000_000 })),
          ),
        ),
    },
    {
      what: 'an empty vault whose operator has no BNB',
      finds: ['key.bnb', 'vault.usdt'],
      says: /^0x\w+: It holds 0 BNB: send at least 0\.005, better 0\.05/,
      plant: async () => {
        const { privateKey, address } = emptyAccount()
        const vault = await deployVault(host(), { operator: address })
        await host().control.finalize()
        return { BSC_PAYOUT_VAULT: vault, BSC_PAYOUT_KEY_FILE: fileWith(privateKey) }
      },
    },
  ]
}

function faultsOfServices(): Plant[] {
  return [
    {
      what: 'a mail server that does not exist',
      finds: ['channel.email', 'holders.email'],
      says: /^email ops@example\.org: Accepts no messages: .*ECONNREFUSED/,
      plant: () => ({
        ALARM_EMAILS: 'ops@example.org',
        ...{ SMTP_URL: 'smtp://127.0.0.1:1', SMTP_FROM: 'dct@example.org' },
      }),
    },
    {
      what: 'a chat to which the bot may not write',
      finds: ['channel.telegram'],
      says: /^telegram 7: Accepts no messages: Telegram answered 400: chat not found/,
      plant: async () => {
        const telegram = await startReceiver()
        telegram.on.request = (response) =>
          response.writeHead(400).end('{"description":"chat not found"}')
        const { url } = telegram
        return { TELEGRAM_API_URL: url, TELEGRAM_BOT_TOKEN: '1:abc', TELEGRAM_CHAT_ID: '7' }
      },
    },
    {
      what: 'a webhook that does not exist',
      finds: ['channel.webhook'],
      says: /^webhook 127\.0\.0\.1:1 \(\w+\): Accepts no messages: .*ECONNREFUSED/,
      plant: () => ({ ALARM_WEBHOOKS: NOBODY, WEBHOOK_SECRETS: `whsec_${'A'.repeat(44)}` }),
    },
  ]
}

/** Another address of the same node: the settings refuse the same one twice. */
function otherName(url: string): string {
  return url.replace('127.0.0.1', 'localhost')
}
