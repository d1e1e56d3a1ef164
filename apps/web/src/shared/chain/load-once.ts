import { WalletError } from './wallet-error.ts'

/** Loads once; a failed load is retried on the next call. The function fails with a `WalletError`. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch((cause: unknown) => {
      loaded = undefined
      throw new WalletError('failed', { cause })
    })
    return loaded
  }
}
