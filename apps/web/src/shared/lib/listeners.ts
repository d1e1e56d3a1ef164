/** Functions to call whenever something changes. */
export class Listeners {
  readonly #functions = new Set<() => void>()

  /** @returns a function that unsubscribes */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#functions.add(listener)
    return () => this.#functions.delete(listener)
  }

  readonly call = (): void => {
    for (const listener of this.#functions) listener()
  }
}
