import { useEffect, useState } from 'react'
import { Outlet } from 'react-router'
import { confirmBy } from '../../shared/api/client.ts'
import { StepUpDialog } from './step-up-dialog.tsx'

type Asked = { answer(isConfirmed: boolean): void }

/** Wraps pages whose calls may require a fresh signature, and opens a dialog to get it. */
export function StepUpArea() {
  const [asked, setAsked] = useState<Asked>()
  useEffect(() => {
    let waiting: Promise<boolean> | undefined
    const ask = () => {
      const question = new Promise<boolean>((resolve) => {
        setAsked({
          answer: (isConfirmed) => {
            // A wallet can sign long after its dialog was closed; by then another dialog may be open.
            if (waiting !== question) return
            waiting = undefined
            setAsked(undefined)
            resolve(isConfirmed)
          },
        })
      })
      return question
    }
    return confirmBy(() => {
      // Calls refused at the same time share one signature.
      waiting ??= ask()
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
