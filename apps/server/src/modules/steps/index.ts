export { endSteps, judgeNow, SHARED_SCOPE } from './take-step.ts'
