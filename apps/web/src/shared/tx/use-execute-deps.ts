import { chainTexts } from '../chain/chain.texts.ts'
import { useWallet } from '../chain/wallet-provider.tsx'
import { useTexts } from '../i18n/texts.ts'
import type { ExecuteDeps } from './execute-call.ts'
import { txTexts } from './tx.texts.ts'

/** What `executeCall` needs from this page: the wallet and the texts. */
export function useExecuteDeps(): ExecuteDeps {
  const { node, extraSigningMs, signTransaction } = useWallet()
  const texts = { text: useTexts(txTexts), chainText: useTexts(chainTexts) }
  return { node, extraSigningMs, signTransaction, ...texts }
}
