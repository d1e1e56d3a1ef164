import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { startLanguages } from './shared/i18n/language.ts'
import '@fontsource-variable/hanken-grotesk'
import './styles/index.css'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root element')

// A failed download of the chosen language leaves English, which is part of the code.
await startLanguages(async () => (await import('./app/indonesian.ts')).indonesian).catch(
  reportError,
)
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
