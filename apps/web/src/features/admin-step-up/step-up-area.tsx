import { Outlet } from 'react-router'
import { useConfirmation } from '../../shared/api/use-confirmation.ts'
import { StepUpDialog } from './step-up-dialog.tsx'

/** Wraps pages whose requests may require a fresh signature, and opens a dialog to get it. */
export function StepUpArea() {
  const answer = useConfirmation()
  return (
    <>
      <Outlet />
      {answer && <StepUpDialog onEnd={answer} />}
    </>
  )
}
