/** An error of the wallet standards, identified by its code. */
export class ProviderError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export const declined = () => new ProviderError(4001, 'Confirmation declined by user')
export const alreadyPending = () => new ProviderError(-32002, 'A request is already pending')
export const unsupported = (method: string) => new ProviderError(4200, `Unsupported: ${method}`)
export const unknownChain = () => new ProviderError(4902, 'The wallet does not know this chain')
