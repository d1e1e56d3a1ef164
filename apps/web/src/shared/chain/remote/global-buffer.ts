import { Buffer } from 'buffer/'

/** The libraries of wallets expect Node's `Buffer` as a global object. Import it before them. */
Object.assign(globalThis, { Buffer: Reflect.get(globalThis, 'Buffer') ?? Buffer })
