import { toast } from './toast-store.ts'

/** What a dialog does once its action has succeeded: it shows the service's message and closes. */
export function toastAndClose(onClose: () => void): (answer: { message: string }) => void {
  return ({ message }) => {
    toast.success(message)
    onClose()
  }
}
