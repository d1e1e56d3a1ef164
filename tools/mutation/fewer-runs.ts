/** Each changed line is judged by all tests of a package: properties are tried fewer times than usual. */
import { configureGlobal } from 'fast-check'

configureGlobal({ numRuns: 25 })
