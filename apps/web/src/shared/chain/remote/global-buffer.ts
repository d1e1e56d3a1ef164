import { Buffer } from 'buffer/'

/** The wallet libraries expect Node's `Buffer` as a global object. Import this file before them. */
Object.assign(globalThis, { Buffer: Reflect.get(globalThis, 'Buffer') ?? Buffer })
