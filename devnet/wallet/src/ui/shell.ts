import { STYLES } from './styles.ts'

/** Events not propagated to the page, which would treat a click in the wallet as one outside its own dialog. */
const FENCED = ['pointerdown', 'mousedown', 'click', 'focusin', 'focusout', 'touchstart'] as const

/**
 * The wallet's corner of the page. A shadow tree isolates the styles of both; a constructed style sheet is allowed by a
 * policy that refuses inline styles. It is placed next to <body>, where a page's dialogs neither hide nor block it.
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

/** Shows a modal dialog; Escape closes only it, nothing on the page behind. */
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
