import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
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

/** How long the page stays blank while its first figures load; after that it shows a loading state. */
const FIGURES_WITHIN_MS = 1_000

// old-browsers.js reports a page that did not get here.
globalThis.hasStarted = true
if (!globalThis.isTooOld) start().catch(reportError)

async function start(): Promise<void> {
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root element')
  const queryClient = createQueryClient()
  const patience = new Promise((resolve) => setTimeout(resolve, FIGURES_WITHIN_MS))
  await Promise.all([
    // If the chosen language cannot be downloaded, the page stays in English, which is bundled.
    startLanguage().catch(reportError),
    Promise.race([prepareOpenedPage(window.location.pathname, queryClient), patience]),
  ])
  const page = createRoot(root)
  // A transition renders in short slices, which lets slow phones respond to input.
  startTransition(() =>
    page.render(
      <StrictMode>
        <App queryClient={queryClient} />
      </StrictMode>,
    ),
  )
}
