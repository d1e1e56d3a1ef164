import type { WalletWindow } from './injected.ts'

/** The adapters' own test: they read different page objects in mobile apps. */
export function isPhone({ navigator }: WalletWindow): boolean {
  return /Android|webOS|iPhone|iPad|iPod|BlackBerry|Windows Phone/i.test(navigator?.userAgent ?? '')
}
