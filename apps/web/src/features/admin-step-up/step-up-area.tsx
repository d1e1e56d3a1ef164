import { useEffect, useState } from 'react'
import { Outlet } from 'react-router'
import { confirmBy } from '../../shared/api/client.ts'
import { StepUpDialog } from './step-up-dialog.tsx'

type Asked = { answer(isConfirmed: boolean): void }

/** The pages below it: whenever the service wants a fresh signature for what they ask, a dialog gets it. */
export function StepUpArea() {
  const [asked, setAsked] = useState<Asked>()
  useEffect(() => {
    let waiting: Promise<boolean> | undefined
    return confirmBy(() => {
      // Calls that were refused together wait for one signature.
      waiting ??= new Promise<boolean>((resolve) => {
        setAsked({
          answer: (isConfirmed) => {
            waiting = undefined
            setAsked(undefined)
            resolve(isConfirmed)
          },
        })
      })
      return waiting
    })
  }, [])
  return (
    <>
      <Outlet />
      {asked && <StepUpDialog onEnd={asked.answer} />}
    </>
  )
}
