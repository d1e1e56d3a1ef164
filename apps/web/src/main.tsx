import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { fetchOpenedPage } from './app/pages.ts'
import { startLanguage } from './shared/i18n/language.ts'
import { tokenStore } from './shared/session/token-store.ts'
import '@fontsource-variable/hanken-grotesk'
import './styles/index.css'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root element')

fetchOpenedPage(window.location.pathname, tokenStore.get() !== null)
// If the chosen language cannot be downloaded, English stays, which is bundled.
await startLanguage().catch(reportError)
const page = createRoot(root)
// A transition renders in short slices, which lets slow phones respond to input.
startTransition(() =>
  page.render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
