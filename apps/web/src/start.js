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
    // Whoever takes a failed answer asks again.
    answer.catch(() => undefined)
  }
  for (const address of open) keep(address, ask(address))
  if (token) {
    const asked = ask(session)
    keep(session, asked)
    // Undefined where the session is over or nothing answers: the page finds out again, and says so.
    const role = asked
      .then((answer) => answer.clone().json())
      .then(({ user }) => user?.role)
      .catch(() => undefined)
    // Figures belong to holders: an admin on such a page is turned away, and asks for none.
    const askAsHolder = async (address) => {
      if ((await role) !== 'user') throw new Error('not a holder')
      return ask(address)
    }
    for (const address of own) keep(address, askAsHolder(address))
  }
  window.earlyAnswers = { token, askedAt: performance.now(), answers }
}
