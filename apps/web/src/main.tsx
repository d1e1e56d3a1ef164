import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { fetchOpenedPage } from './app/pages.ts'
import { startLanguages } from './shared/i18n/language.ts'
import { tokenStore } from './shared/session/token-store.ts'
import '@fontsource-variable/hanken-grotesk'
import './styles/index.css'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root element')

fetchOpenedPage(window.location.pathname, tokenStore.get() !== null)
// A failed download of the chosen language leaves English, which is part of the code.
await startLanguages(async () => (await import('./app/indonesian.ts')).indonesian).catch(
  reportError,
)
const page = createRoot(root)
// A transition is drawn in short slices, which leave slow phones time to answer touches.
startTransition(() =>
  page.render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
