import type { WalletQuestion } from '../demo-wallet.ts'
import { element } from './element.ts'
import { openDialog } from './shell.ts'

/** Asks the user to approve; closing the pop-up in any other way declines. */
export function askUser(root: ShadowRoot, question: WalletQuestion): Promise<boolean> {
  return new Promise((resolve) => {
    const { account, facts, text, title } = question
    const rows = [['Account', `${account.name} ${account.tron_address}`], ...facts]
    const dialog = element(
      'dialog',
      { 'aria-label': title, close: () => resolve(dialog.returnValue === 'approve') },
      element('h2', {}, title),
      element(
        'dl',
        {},
        ...rows.flatMap(([label = '', value = '']) => [
          element('dt', {}, label),
          element('dd', {}, value),
        ]),
      ),
      ...(text === undefined ? [] : [element('pre', {}, text)]),
      element(
        'div',
        { class: 'row end' },
        element('button', { type: 'button', click: () => dialog.close('') }, 'Reject'),
        element(
          'button',
          { type: 'button', class: 'primary', click: () => dialog.close('approve') },
          'Approve',
        ),
      ),
    )
    openDialog(root, dialog)
  })
}
