export type Environment = Readonly<Record<string, string | undefined>>

/** A setting is missing or wrong. The message has one line per setting: its name and the mend, never its value. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

type Read<T> = (text: string) => T

/** Reads settings one by one and collects every problem, so that an operator mends them all at once. */
export class SettingsReader {
  readonly #env: Environment
  readonly #problems: string[] = []

  constructor(env: Environment) {
    this.#env = env
  }

  has(name: string): boolean {
    return (this.#env[name] ?? '').trim() !== ''
  }

  /** A setting that must be there. After a problem it returns `undefined as T`: `finish` throws before anybody uses it. */
  required<T>(name: string, mend: string, read: Read<T>): T {
    if (!this.has(name)) {
      this.#problems.push(`${name} is missing: ${mend}`)
      return undefined as T
    }
    return this.#read(name, mend, read)
  }

  optional<T>(name: string, fallback: T, mend: string, read: Read<T>): T {
    return this.has(name) ? this.#read(name, mend, read) : fallback
  }

  problem(text: string): void {
    this.#problems.push(text)
  }

  /** @throws SettingsError when anything was wrong. */
  finish(): void {
    if (this.#problems.length > 0) throw new SettingsError(this.#problems.join('\n'))
  }

  #read<T>(name: string, mend: string, read: Read<T>): T {
    try {
      return read((this.#env[name] ?? '').trim())
    } catch {
      this.#problems.push(`${name} is not valid: ${mend}`)
      return undefined as T
    }
  }
}

export function asText(text: string): string {
  return text
}

export function asWhole(minimum: number, maximum: number): Read<number> {
  return (text) => {
    const value = Number(text)
    if (!/^\d{1,15}$/.test(text) || value < minimum || value > maximum)
      throw new RangeError('out of range')
    return value
  }
}

export function asOneOf<const T extends string>(...choices: T[]): Read<T> {
  return (text) => {
    const found = choices.find((choice) => choice === text)
    if (found === undefined) throw new RangeError('not a choice')
    return found
  }
}

export function asSwitch(text: string): boolean {
  return asOneOf('on', 'off')(text) === 'on'
}

export function asUrl(text: string): string {
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new RangeError('not http')
  return text.replace(/\/+$/, '')
}

/** The address of a site, without any path. */
export function asOrigin(text: string): string {
  const { origin } = new URL(asUrl(text))
  if (origin !== asUrl(text).toLowerCase()) throw new RangeError('not an origin')
  return origin
}

/** One or more, separated by commas. */
export function asList<T>(read: Read<T>): Read<T[]> {
  return (text) => {
    const parts = text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
    if (parts.length === 0) throw new RangeError('nothing is named')
    return parts.map(read)
  }
}

export function asEvmAddress(text: string): `0x${string}` {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new RangeError('not an address')
  return text as `0x${string}`
}

export function asInstant(text: string): Date {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) throw new RangeError('not an instant')
  return at
}
