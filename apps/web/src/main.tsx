import type { QueryClient } from '@tanstack/react-query'
import { StrictMode, startTransition } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { App } from './app/app.tsx'
import { prepareOpenedPage } from './app/pages.ts'
import { createQueryClient } from './shared/api/query-client.ts'
import { startLanguage } from './shared/i18n/language.ts'
import '@fontsource-variable/hanken-grotesk'
import './styles/index.css'

declare global {
  /** Set by old-browsers.js: this browser cannot show the app, and has said so. */
  var isTooOld: boolean | undefined
  var hasStarted: boolean | undefined
}

/** How long the page stays an outline while its code and the session load; after that it shows a loading state. */
const SESSION_WITHIN_MS = 1_000
const RENDERED_ANEW_AT_MOST = 3

// old-browsers.js reports a page that did not get here.
globalThis.hasStarted = true
if (!globalThis.isTooOld) start().catch(reportError)

async function start(): Promise<void> {
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root element')
  const queryClient = createQueryClient()
  const patience = new Promise((resolve) => setTimeout(resolve, SESSION_WITHIN_MS))
  await Promise.all([
    // If the chosen language cannot be downloaded, the page stays in English, which is bundled.
    startLanguage().catch(reportError),
    Promise.race([prepareOpenedPage(window.location.pathname, queryClient), patience]),
  ])
  const page = renderPage(root, queryClient)
  // A transition renders in short slices, which lets slow phones respond to input.
  startTransition(page.render)
  // Behind the page, which needs it only once something else changes its elements.
  const { surviveForeignChanges, keepTypedTexts } = await import('./app/foreign-changes.ts')
  page.keepTypedTexts = keepTypedTexts
  surviveForeignChanges({ root, onLost: page.renderAnew })
}

/** The page, which can be rendered anew a few times, with what was typed: something may be replacing its elements. */
function renderPage(root: Element, queryClient: QueryClient) {
  let page: Root
  let left = RENDERED_ANEW_AT_MOST
  let isPlanned = false
  const render = () => {
    page = createRoot(root)
    page.render(
      <StrictMode>
        <App queryClient={queryClient} onCrash={renderAnew} />
      </StrictMode>,
    )
  }
  /** Later, because React may be at work. @returns whether it will be */
  const renderAnew = (): boolean => {
    if (isPlanned) return true
    if (left === 0) return false
    left -= 1
    isPlanned = true
    const typeAgain = made.keepTypedTexts()
    setTimeout(() => {
      page.unmount()
      root.replaceChildren()
      // What a rewritten page contains are copies of the root and of dialogs, which nobody hears.
      for (const copy of document.querySelectorAll('#root, [data-holds-page]')) copy.remove()
      document.body.append(root)
      // Not before: of the elements that are gone, React's own removals tell again.
      isPlanned = false
      render()
      typeAgain()
    }, 0)
    return true
  }
  const made = { render, renderAnew, keepTypedTexts: () => () => {} }
  return made
}
