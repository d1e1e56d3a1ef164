import type { DemoWallet } from '../demo-wallet.ts'
import { type DevnetInfo, devnetApi } from '../devnet-api.ts'
import { payFee } from '../pay-fee.ts'
import { type Child, element } from './element.ts'
import { openDialog } from './shell.ts'

type PanelParts = { wallet: DemoWallet; info: DevnetInfo; say(text: string): void }

/** Adds the small button that opens the development tools. */
export function addPanelButton(root: ShadowRoot, wallet: DemoWallet, info: DevnetInfo): void {
  const open = () => openPanel(root, wallet, info)
  root.append(
    element(
      'aside',
      { 'aria-label': 'Development tools' },
      element('button', { type: 'button', class: 'open', click: open }, 'Devnet'),
    ),
  )
}

function openPanel(root: ShadowRoot, wallet: DemoWallet, info: DevnetInfo): void {
  const output = element('output', { 'aria-live': 'polite' })
  const say = (text: string) => {
    output.textContent = text
  }
  const parts = { wallet, info, say }
  const dialog = element(
    'dialog',
    { 'aria-label': 'Development tools' },
    element('h2', {}, 'Development tools'),
    accountPart(parts),
    timePart(parts),
    faucetPart(parts),
    feePart(parts),
    output,
    element(
      'div',
      { class: 'row end' },
      element('button', { type: 'button', click: () => dialog.close() }, 'Close'),
    ),
  )
  openDialog(root, dialog)
}

function accountOptions(wallet: DemoWallet): HTMLOptionElement[] {
  return wallet.accounts.map(({ name, tron_address }) =>
    element(
      'option',
      { value: tron_address, selected: tron_address === wallet.account.tron_address },
      `${name} (${tron_address})`,
    ),
  )
}

function accountPart({ wallet, say }: PanelParts): HTMLElement {
  const select = element(
    'select',
    {
      'aria-label': 'Account',
      change: () => wallet.change({ account: select.value }),
    },
    ...accountOptions(wallet),
  )
  const key = element('input', { placeholder: '64 hex digits', autocomplete: 'off' })
  const importKey = async () => {
    const { tron_address } = wallet.importKey(key.value)
    key.value = ''
    select.replaceChildren(...accountOptions(wallet))
    say(`Imported ${tron_address}.`)
  }
  const toggle = (label: string, key: 'isLocked' | 'isConnected' | 'isAutoApproving') => {
    const box = element('input', {
      type: 'checkbox',
      checked: wallet.settings[key],
      change: () => {
        wallet.change({ [key]: box.checked })
        say(`${label}: ${box.checked ? 'on' : 'off'}`)
      },
    })
    return element('label', {}, box, label)
  }
  return section(
    ['Wallet'],
    select,
    row(
      toggle('Locked', 'isLocked'),
      toggle('Site connected', 'isConnected'),
      toggle('Auto-approve', 'isAutoApproving'),
    ),
    row(element('label', {}, 'Private key', key), action('Import', say, importKey)),
  )
}

function timePart({ info, say }: PanelParts): HTMLElement {
  const date = element('code', {}, info.business_date)
  const days = element('input', { type: 'number', min: '1', max: '1000', value: '1' })
  const advance = async () => {
    const { business_date } = await devnetApi.advance(Number(days.value))
    info.business_date = business_date
    date.textContent = business_date
    say(`It is now ${business_date}.`)
  }
  const settle = async () => {
    await devnetApi.settle()
    say('Everything on the chains has been processed.')
  }
  return section(
    ['Time: ', date],
    row(
      element('label', {}, 'Days', days),
      action('Advance', say, advance),
      action('Settle', say, settle),
    ),
  )
}

function faucetPart({ wallet, say }: PanelParts): HTMLElement {
  const assets = ['dct', 'trx', 'usdt', 'bnb'] as const
  const inputs = assets.map((asset) => ({
    asset,
    input: element('input', { inputmode: 'decimal', placeholder: '0' }),
  }))
  const give = async () => {
    const asked = inputs
      .map(({ asset, input }) => [asset, input.value.trim()] as const)
      .filter(([, value]) => value !== '')
    const { tron_address, bsc_address } = wallet.account
    await devnetApi.faucet({ tron_address, bsc_address, ...Object.fromEntries(asked) })
    say(`Given to ${wallet.account.name}.`)
  }
  return section(
    ['Faucet'],
    row(
      ...inputs.map(({ asset, input }) => element('label', {}, asset.toUpperCase(), input)),
      action('Give', say, give),
    ),
  )
}

function feePart({ wallet, info, say }: PanelParts): HTMLElement {
  const list = element('div', {})
  const pay = async (usdt: string) => {
    const hash = await payFee(info, { account: wallet.account, usdt })
    say(`Paid ${usdt} USDT: ${hash}`)
  }
  const load = async () => {
    const fees = await devnetApi.openFees()
    list.replaceChildren(
      ...fees.map(({ earning_plan_code, unpaid_fee_usdt }) =>
        row(
          `${earning_plan_code}: ${unpaid_fee_usdt} USDT`,
          action('Pay this fee', say, () => pay(unpaid_fee_usdt)),
        ),
      ),
    )
    say(fees.length === 0 ? 'No open fees.' : `${fees.length} open.`)
  }
  const amount = element('input', { inputmode: 'decimal', placeholder: '0.000000' })
  return section(
    ['Claim fees'],
    row(action('Show open fees', say, load)),
    list,
    row(
      element('label', {}, 'USDT', amount),
      action('Pay this amount', say, () => pay(amount.value.trim())),
    ),
  )
}

function section(heading: readonly Child[], ...children: Child[]): HTMLElement {
  return element('section', {}, element('h3', {}, ...heading), ...children)
}

function row(...children: Child[]): HTMLElement {
  return element('div', { class: 'row' }, ...children)
}

/** A button that is disabled while its action runs, shows errors, and makes the page refetch. */
function action(label: string, say: (text: string) => void, work: () => Promise<void>) {
  const button = element('button', { type: 'button', click: () => void run() }, label)
  async function run(): Promise<void> {
    button.disabled = true
    say(`${label} …`)
    try {
      await work()
      // Like returning to the tab, this makes the page refetch its figures.
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    } catch (error) {
      say(error instanceof Error ? error.message : String(error))
    } finally {
      button.disabled = false
    }
  }
  return button
}
