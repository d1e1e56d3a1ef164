import { errorText } from '../api/api-error.ts'
import type { QueryParams } from '../api/call-address.ts'
import { api } from '../api/client.ts'
import { useTexts } from '../i18n/texts.ts'
import { saveBlob } from '../lib/save-blob.ts'
import { useAction } from '../lib/use-once.ts'
import { DownloadIcon } from './icons.tsx'
import { QuietButton } from './quiet-button.tsx'
import { toast } from './toast-store.ts'
import { uiTexts } from './ui.texts.ts'

export type ListFile = {
  /** The list's API path, which also answers as a file. */
  path: string
  /** The list's own query; its page is ignored. */
  query: QueryParams
}

/** Saves a whole list as a CSV file, with the current filters and sort order. */
export function ExportButton({ path, query }: ListFile) {
  const text = useTexts(uiTexts)
  const { page: _page, limit: _limit, ...narrowing } = query
  const download = useAction({
    mutationFn: () => api.file(path, { query: { ...narrowing, format: 'csv' } }),
    onSuccess: saveBlob,
    onError: (error) => toast.error(errorText(error, text('exportFailed'))),
  })
  return (
    <QuietButton disabled={download.isPending} onClick={() => download.mutate()}>
      <DownloadIcon />
      {text(download.isPending ? 'exporting' : 'export')}
    </QuietButton>
  )
}
