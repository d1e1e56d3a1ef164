import { STYLES } from './styles.ts'

/** These stay inside: the page must not take a click in the wallet for a click beside its own dialog. */
const FENCED = ['pointerdown', 'mousedown', 'click', 'focusin', 'focusout', 'touchstart'] as const

/**
 * The wallet's own corner of the page. A shadow tree keeps both sides' styles apart; a constructed style sheet
 * passes a policy that refuses inline styles. It hangs beside <body>, where a page's dialogs hide and freeze nothing.
 */
export function createShell(): ShadowRoot {
  const host = document.createElement('development-wallet')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  root.adoptedStyleSheets = [sheet]
  for (const name of FENCED) host.addEventListener(name, (event) => event.stopPropagation())
  document.documentElement.append(host)
  return root
}

/** Shows a modal dialog; Escape closes it and nothing of the page behind it. */
export function openDialog(root: ShadowRoot, dialog: HTMLDialogElement): void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    event.preventDefault()
    dialog.close()
  }
  window.addEventListener('keydown', onKey, true)
  dialog.addEventListener('close', () => {
    window.removeEventListener('keydown', onKey, true)
    dialog.remove()
  })
  root.append(dialog)
  dialog.showModal()
}
