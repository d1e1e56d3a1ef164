import { DemoWallet } from './demo-wallet.ts'
import { devnetApi } from './devnet-api.ts'
import { injectWallet } from './inject.ts'
import { askUser } from './ui/confirm-dialog.ts'
import { addPanelButton } from './ui/panel.ts'
import { createShell } from './ui/shell.ts'

/** Prevents a second script tag from adding a second wallet to the page. */
const LOADED = Symbol.for('developmentWallet')

async function start(): Promise<void> {
  const info = await devnetApi.info()
  const root = createShell()
  const wallet = new DemoWallet(info, (question) => askUser(root, question))
  injectWallet(wallet)
  addPanelButton(root, wallet, info)
}

if (!Reflect.has(window, LOADED)) {
  Reflect.set(window, LOADED, true)
  start().catch((error: unknown) => console.error('The development wallet could not start:', error))
}
