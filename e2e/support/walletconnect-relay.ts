/** Sends a text to one client of the relay. */
type Send = (text: string) => void
type Rpc = { id: number; method?: string; params?: Record<string, string> & { topics?: string[] } }
type Letter = { topic: string; message: string; publishedAt: number; tag: number; from: Send }

const TTL_TAGS = { proposal: 1100, proposed: 1101, settlement: 1102 }

/**
 * WalletConnect's relay in memory: it stores what clients publish under a topic, and passes it on to those that
 * subscribed to it (docs.reown.com, relay protocol). It cannot read anything: the messages are encrypted.
 */
export class WalletConnectRelay {
  readonly #subscribers = new Map<string, Set<Send>>()
  readonly #letters: Letter[] = []
  #lastId = 1

  /** Handles what a client sent. */
  receive(text: string, client: Send): void {
    const { id, method, params = {} } = JSON.parse(text) as Rpc
    if (method === undefined) return // the acknowledgement of a letter
    client(JSON.stringify({ id, jsonrpc: '2.0', result: this.#answer(method, params, client) }))
  }

  /** Removes a client that has disconnected. */
  leave(client: Send): void {
    for (const clients of this.#subscribers.values()) clients.delete(client)
  }

  #answer(method: string, params: NonNullable<Rpc['params']>, client: Send): unknown {
    const { topic = '', message = '', pairingTopic = '', sessionTopic = '', topics = [] } = params
    const publish = (sent: Pick<Letter, 'topic' | 'message' | 'tag'>) =>
      this.#publish({ ...sent, from: client })
    switch (method) {
      case 'irn_subscribe':
        return this.#subscribe(topic, client)
      case 'irn_batchSubscribe':
        return topics.map((each) => this.#subscribe(each, client))
      case 'irn_publish':
        return publish({ topic, message, tag: Number(params.tag) })
      case 'wc_proposeSession': {
        const { sessionProposal = '' } = params
        this.#subscribe(pairingTopic, client)
        return publish({ topic: pairingTopic, message: sessionProposal, tag: TTL_TAGS.proposal })
      }
      case 'wc_approveSession': {
        const { sessionProposalResponse: answer = '', sessionSettlementRequest: settlement = '' } =
          params
        this.#subscribe(sessionTopic, client)
        publish({ topic: pairingTopic, message: answer, tag: TTL_TAGS.proposed })
        return publish({ topic: sessionTopic, message: settlement, tag: TTL_TAGS.settlement })
      }
      case 'irn_fetchMessages':
      case 'irn_batchFetchMessages':
        return { messages: [], hasMore: false }
      default:
        return true
    }
  }

  #subscribe(topic: string, client: Send): string {
    const clients = this.#subscribers.get(topic) ?? new Set()
    this.#subscribers.set(topic, clients)
    const isNew = !clients.has(client)
    clients.add(client)
    const waiting = this.#letters.filter(
      (letter) => letter.topic === topic && letter.from !== client,
    )
    if (isNew) for (const letter of waiting) queueMicrotask(() => this.#deliver(letter, client))
    return topic
  }

  #publish(sent: Omit<Letter, 'publishedAt'>): boolean {
    const letter = { ...sent, publishedAt: Date.now() }
    this.#letters.push(letter)
    const clients = [...(this.#subscribers.get(sent.topic) ?? [])]
    for (const client of clients) if (client !== sent.from) this.#deliver(letter, client)
    return true
  }

  #deliver({ from: _from, ...data }: Letter, client: Send): void {
    this.#lastId += 1
    const params = { id: data.topic, data }
    client(JSON.stringify({ id: this.#lastId, jsonrpc: '2.0', method: 'irn_subscription', params }))
  }
}
