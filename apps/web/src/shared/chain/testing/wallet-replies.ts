import type { FailureMeaning } from '../read-failure.ts'

/** What wallets were reported to throw, or to resolve with, in public reports about them; one entry per shape. */
type Reply = readonly [wallet: string, thrown: unknown]

const error = (message: string, more: object = {}) => Object.assign(new Error(message), more)

/** Declined by the user. */
const REFUSED: readonly Reply[] = [
  ['MetaMask', error('MetaMask Tx Signature: User denied transaction signature.', { code: 4001 })],
  ['MetaMask, as an object', { code: 4001, message: 'User rejected the request.' }],
  ['MetaMask, code only', { code: 4001 }],
  ['MetaMask, code as text', error('no', { code: '4001' })],
  ['a wallet with a node’s code', error('User rejected', { code: -32_000 })],
  ['a wallet with an internal error', error('Request rejected', { code: -32_603 })],
  ['Rainbow', error('Request rejected by user', { code: -32_603, data: {} })],
  [
    'ethers',
    error('user rejected action', { code: 'ACTION_REJECTED', info: { error: { code: 4001 } } }),
  ],
  ['ethers, code only', error('', { code: 'ACTION_REJECTED' })],
  ['viem', error('', { name: 'UserRejectedRequestError' })],
  ['a cause', error('Internal', { code: -32_603, cause: { code: 4001 } })],
  [
    'an inner error',
    error('Internal JSON-RPC error.', { data: { originalError: { code: 4001 } } }),
  ],
  [
    'MetaMask through another library',
    error('[ethjs-query] RPC', { value: 1, data: { code: 4001 } }),
  ],
  ['JSON in the text', error('{"code":4001,"message":"User rejected"}')],
  ['WalletConnect', error('User rejected.', { code: 5000 })],
  ['WalletConnect, chains', error('User disapproved requested chains', { code: 5001 })],
  ['WalletConnect, methods', error('User disapproved requested methods', { code: 5002 })],
  ['WalletConnect, methods in older words', error('User rejected methods.', { code: 5002 })],
  ['WalletConnect’s window', error('Modal is closed.')],
  ['WalletConnect’s window, closed', error('Connection request reset. Please try again.')],
  ['Trust Wallet', error('cancelled', { code: -32_000 })],
  ['Trust Wallet, phone', error('Cancelled by User', { code: -32_099 })],
  ['SafePal', { message: 'User canceled' }],
  ['Coinbase Wallet', error('User denied account authorization')],
  ['Brave', error('The user rejected the request.', { code: -32_603 })],
  ['Binance', error('User Reject', { code: 200_001 })],
  ['TokenPocket', 'cancel'],
  ['TokenPocket, capital', 'Cancel'],
  ['TokenPocket, misspelt', 'cancle'],
  ['imToken', error('User cancelled')],
  ['imToken, text', 'user cancel'],
  ['imToken, code', { code: 1001, message: 'User Cancelled' }],
  ['TronLink, signing', 'Confirmation declined by user'],
  ['TronLink, an error', error('Confirmation declined by user')],
  ['TronLink, connecting', { code: 4001, message: 'User rejected the request.' }],
  ['an adapter', error('The user rejected connection.', { error: { code: 4001 } })],
  ['an adapter, code 10001', { code: 10_001, message: 'The user rejected connection' }],
  ['Bitget', error('User rejected', { code: 40_001 })],
  ['Bitget, its error in a field', { error: 'User rejected' }],
  ['OKX', { code: 4001, message: 'User rejected the request' }],
  ['a wallet, aborted', 'User abort'],
  ['a wallet, short', 'reject'],
  ['a wallet, shorter', 'User reject'],
  ['a wallet, transaction', 'Transaction rejected'],
  ['a wallet, declined', 'User declined'],
  [
    'Ledger through a wallet',
    error('Ledger device: Condition of use not satisfied (denied by the user?) (0x6985)'),
  ],
  ['Ledger, UserRefusedOnDevice', error('', { name: 'UserRefusedOnDevice' })],
  ['Keystone', error('KeystoneError#Tx_canceled. Reason: user cancelled')],
  ['a closed pop-up', error('User closed the popup')],
  ['in Chinese', error('用户取消')],
  ['in traditional Chinese', '使用者拒絕了請求'],
  ['in Indonesian', error('Pengguna menolak permintaan')],
  ['in Indonesian, cancelled', error('Dibatalkan oleh pengguna')],
  ['in Vietnamese', error('Người dùng từ chối yêu cầu')],
  ['in Russian', error('Пользователь отклонил запрос')],
  ['in Spanish', error('El usuario rechazó la solicitud')],
  ['in Turkish', error('Kullanıcı isteği reddetti')],
  ['in Korean', error('사용자가 요청을 거부했습니다')],
  ['in Japanese', error('ユーザーがリクエストをキャンセルしました')],
]

/** The network is not in the wallet yet. */
const UNKNOWN_NETWORK: readonly Reply[] = [
  ['MetaMask', error('Unrecognized chain ID "0x38".', { code: 4902 })],
  ['code as text', error('Unrecognized chain', { code: '4902' })],
  [
    'MetaMask, phone',
    {
      code: -32_603,
      message:
        'Unrecognized chain ID "0x38". Try adding the chain using wallet_addEthereumChain first.',
      data: { originalError: { code: 4902 } },
    },
  ],
  [
    'MetaMask, words only',
    error('Unrecognized chain ID "0x38". Try adding the chain first.', { code: -32_603 }),
  ],
  ['MetaMask, WalletConnect', { code: 32_603, message: 'Invalid chain' }],
  ['Zerion', error('Chain not configured')],
  ['a cause', error('Internal', { code: -32_603, cause: { code: 4902 } })],
  ['data with the code', error('Internal', { code: -32_603, data: { code: 4902 } })],
  ['JSON in the text', { message: '{"message":"Unrecognized chain ID 0x38.","code":4902}' }],
  [
    'Trust Wallet, words only',
    error('1684306502099 sendError Error: Unrecognized chain ID "0x38"'),
  ],
  ['WalletConnect', error('Unsupported chains', { code: 5100 })],
]

const OTHERS: readonly (readonly [FailureMeaning, ...Reply])[] = [
  [
    'busy',
    'MetaMask',
    error('Already processing eth_requestAccounts. Please wait.', { code: -32_002 }),
  ],
  [
    'busy',
    'MetaMask, words only',
    error("Request of type 'wallet_requestPermissions' already pending"),
  ],
  [
    'busy',
    'an adapter',
    error('There is a pop-up window has not been closed, pop-up window has not been closed'),
  ],
  ['locked', 'TronLink', 'Wallet is locked'],
  ['locked', 'a wallet', error('Please unlock your wallet')],
  [
    'notConnected',
    'a wallet',
    { code: 4100, message: 'The requested account has not been authorized' },
  ],
  ['notConnected', 'WalletConnect', error('No matching key. session topic does not exist: ab')],
  ['disconnected', 'a wallet', { code: 4900, message: 'The provider is disconnected' }],
  ['disconnected', 'WalletConnect', { code: 6000, message: 'User disconnected.' }],
  ['gone', 'any extension', error('Extension context invalidated.')],
  ['cutOff', 'Chrome', error('The message port closed before a response was received.')],
  ['cutOff', 'MetaMask', error('Attempting to use a disconnected port object')],
  [
    'cutOff',
    'Chrome, asleep',
    error('Could not establish connection. Receiving end does not exist.'),
  ],
  ['expired', 'WalletConnect', error('Request expired. Please try again.')],
  ['expired', 'WalletConnect, code', { code: 8000, message: 'no answer' }],
  [
    'unsupported',
    'MetaMask, phone',
    { code: -32_601, message: 'The method does not exist/is not available' },
  ],
  ['unsupported', 'a wallet', error('Method not supported')],
  ['noFunds', 'any', error('insufficient funds for gas * price + value', { code: -32_000 })],
  [
    'noFunds',
    'MetaMask',
    error('Internal JSON-RPC error.', {
      code: -32_603,
      data: { code: -32_000, message: 'insufficient funds for gas' },
    }),
  ],
  [
    'wouldFail',
    'any',
    error('execution reverted: BEP20: transfer amount exceeds balance', { code: 3 }),
  ],
  ['otherNetwork', 'Trust Wallet', error('Chain ID mismatch')],
  ['otherNetwork', 'a wallet', { code: 4901, message: 'not on the chain' }],
  ['otherAccount', 'a wallet', error('from address mismatch')],
  ['unclear', 'a wallet', error('Internal JSON-RPC error.', { code: -32_603 })],
  ['unclear', 'TronLink', 'Invalid transaction provided'],
  ['unclear', 'MetaMask, an old phone', {}],
  ['unclear', 'nothing', undefined],
  ['unclear', 'null', null],
  // A node, a server or a timer rejected it, which is not the user's answer.
  [
    'unclear',
    'a node',
    error('Transaction rejected by the network: nonce too low', { code: -32_000 }),
  ],
  ['unclear', 'a node, underpriced', error('transaction underpriced, rejected', { code: -32_000 })],
  ['unclear', 'a node, context', error('context canceled', { code: -32_000 })],
  ['unclear', 'a node, late', error('request timed out', { code: -32_002 })],
  ['unclear', 'a server', error('connect ECONNREFUSED 127.0.0.1:8545')],
  ['unclear', 'a timer', error('The operation was aborted due to timeout')],
  ['unclear', 'a node, known', error('already known', { code: -32_000 })],
]

const as = (meaning: FailureMeaning, replies: readonly Reply[]) =>
  replies.map(([wallet, thrown]) => ({ meaning, wallet, thrown }))

export const WALLET_REPLIES = [
  ...as('refused', REFUSED),
  ...as('unknownNetwork', UNKNOWN_NETWORK),
  ...OTHERS.map(([meaning, wallet, thrown]) => ({ meaning, wallet, thrown })),
]
