/** The service that holds the keys does not answer, or not as it should: nothing can be signed. */
import { MUTE } from '../chains/node-faults.ts'
import { choose, type Play } from './act.ts'

export const keyServiceFails: Play = async (stage, [what, isAtStart]) => {
  const { world } = stage
  if (world.installation.hasKeyService !== true) return
  const fault = choose(MUTE, what)
  world.keyServiceFault = fault
  stage.coverage.reach('fault', `key service ${fault}`)
  stage.say(`the key service is ${fault}`)
  if (isAtStart % 2 !== 0) return
  await world.stop('worker')
  const problem = await world.start('worker')
  stage.coverage.reach('state', 'a worker that starts without its keys')
  stage.say(
    `the worker is started again${problem === undefined ? '' : `, and does not: ${problem}`}`,
  )
  if (problem?.includes('KMS'))
    stage.accuse('without its keys a worker does everything but sign', 'worker', problem)
}

export const keyServiceRecovers: Play = async (stage) => {
  const { world } = stage
  if (world.keyServiceFault === undefined) return
  world.keyServiceFault = undefined
  stage.say('the key service answers again')
}
