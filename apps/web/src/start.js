// Runs before the first paint, while the page's code is still on its way: sets the theme, so that a light one never flashes
// dark, and asks for what the page needs first. A file of its own, because the content security policy refuses inline scripts.
{
  const stored = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null // storage may be blocked
    }
  }
  const { catalogues, open, own } = JSON.parse(document.currentScript.dataset.start)

  if (stored('theme') === 'light') document.documentElement.dataset.theme = 'light'

  const language = stored('language')
  if (Object.hasOwn(catalogues, language)) {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'modulepreload', href: catalogues[language] })
    document.head.append(link)
  }

  const token = stored('authToken')
  const headers = { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const answers = {}
  for (const address of token ? [...open, ...own] : open) {
    answers[address] = fetch(address, { headers })
    // Whoever takes a failed answer asks again.
    answers[address].catch(() => undefined)
  }
  window.earlyAnswers = { token, askedAt: performance.now(), answers }
}
