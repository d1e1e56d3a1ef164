import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { KeptMail, Mailbox } from './mailbox.ts'

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** The e-mails that holders of a devnet would have received, as a page and as JSON. */
export const mailboxRoutes: FastifyPluginAsyncTypebox<{ mailbox: Mailbox }> = async (
  app,
  { mailbox },
) => {
  app.get('/devnet/mailbox.json', { schema: { hide: true } }, () => mailbox.newest())
  app.get('/devnet/mailbox', { schema: { hide: true } }, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(page(mailbox.newest())),
  )
}

function page(mails: readonly KeptMail[]): string {
  const articles = mails.map(
    ({ to, subject, text, at }) =>
      `<article><h2>${escaped(subject)}</h2><p>${escaped(to)}, ${at}</p><pre>${linked(text)}</pre></article>`,
  )
  const content = articles.length === 0 ? '<p>No mail yet.</p>' : articles.join('<hr>')
  return `<!doctype html><html lang="en"><title>Mailbox of the devnet</title><h1>Mailbox of the devnet</h1>${content}</html>`
}

function linked(text: string): string {
  return escaped(text).replaceAll(/https?:\/\/[^\s]+/g, (url) => `<a href="${url}">${url}</a>`)
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ESCAPED[character] ?? '')
}
