import { I18nProvider } from '@lingui/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { i18n } from '../i18n/texts.ts'

/** What a part of a page renders at first, with what `queryClient` knows already. */
export function toHtml(part: ReactNode, queryClient = new QueryClient()): string {
  return renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>{part}</MemoryRouter>
      </QueryClientProvider>
    </I18nProvider>,
  )
}

/** The texts of a rendering, without its elements. Those within a sentence leave no gap. */
export function textsOf(html: string): string {
  const sentences = html.replaceAll(/<\/?span[^>]*>/g, '').replaceAll(/<[^>]*>/g, ' ')
  return sentences.replaceAll(/\s+/g, ' ').trim()
}
