// Runs before the first paint, while the page's code is still loading: sets the theme, so that a light page never
// flashes dark, and requests the data that the page needs first. A separate file, because the content security policy
// blocks inline scripts.
{
  const stored = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null // storage may be blocked
    }
  }
  const { catalogues, open, session, own } = JSON.parse(document.currentScript.dataset.start)

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
  const ask = (address) => fetch(address, { headers })
  const keep = (address, answer) => {
    answers[address] = answer
    // The page repeats a failed request.
    answer.catch(() => undefined)
  }
  for (const address of open) keep(address, ask(address))
  if (token) {
    const asked = ask(session)
    keep(session, asked)
    // Undefined if the session is over or there is no response: the page repeats the request and reports the failure.
    const role = asked
      .then((answer) => answer.clone().json())
      .then(({ user }) => user?.role)
      .catch(() => undefined)
    // Only holders have figures: an admin who opens such a page is redirected, so nothing is requested.
    const askAsHolder = async (address) => {
      if ((await role) !== 'user') throw new Error('not a holder')
      if (stored('authToken') !== token) throw new Error('another session')
      return ask(address)
    }
    for (const address of own) keep(address, askAsHolder(address))
  }
  window.earlyAnswers = { token, askedAt: performance.now(), answers }
}
