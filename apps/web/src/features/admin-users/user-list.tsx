import { LIST_ORDERS } from '@dct/api-contract/lists'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { type ListControls, useListParams } from '../../shared/lib/use-list-params.ts'
import { ExportButton } from '../../shared/ui/export-button.tsx'
import { SortIcon } from '../../shared/ui/icons.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { Pager } from '../../shared/ui/pager.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { SearchBox } from '../../shared/ui/search-box.tsx'
import { useErrorToast } from '../../shared/ui/use-error-toast.ts'
import { userQueries } from './admin-users.api.ts'
import { USER_WORDING, userTexts } from './admin-users.texts.ts'
import { UserCard } from './user-card.tsx'
import { userOrderTexts } from './user-orders.texts.ts'
import './admin-users.css'
import { StaleCallout } from '../../shared/ui/stale-callout.tsx'

const DEFAULTS = {
  prefix: 'user-',
  ...LIST_ORDERS.users,
  filters: { percentage: '' },
  choices: { percentage: ['yes'] },
} as const

/** All users, one card each. */
export function UserList() {
  const text = useTexts(userTexts)
  const list = useListParams(DEFAULTS)
  const hasFilter = list.state.filters.percentage === 'yes'
  const query = { ...list.query, ...(hasFilter && { filter_reward_percentage: true }) }
  const users = useQuery(userQueries.list(query))
  useErrorToast(users.error, USER_WORDING.listFailed)
  return (
    <section className="stack" aria-label={USER_WORDING.users} aria-busy={users.isFetching}>
      <UserTools list={list} download={<ExportButton path="/admin/users" query={query} />} />
      {users.data !== undefined && (
        <p className="soft small">
          {users.data.downline_age_seconds === 0
            ? text('downlinesFresh')
            : text('downlinesAge', { seconds: users.data.downline_age_seconds })}
        </p>
      )}
      <StaleCallout query={users} />
      {users.data === undefined && <NotLoaded query={users}>{text('loadFailed')}</NotLoaded>}
      {users.data?.rows.length === 0 && (
        <div className="panel empty stack">
          <p>{USER_WORDING.noUsers}</p>
          {list.isNarrowed && (
            <p>
              <QuietButton onClick={list.reset}>{text('resetFilters')}</QuietButton>
            </p>
          )}
        </div>
      )}
      <ul className="user-cards">
        {users.data?.rows.map((user) => (
          <li key={user.id}>
            <UserCard user={user} />
          </li>
        ))}
      </ul>
      <Pager list={list} data={users.data} name={USER_WORDING.users} />
    </section>
  )
}

function UserTools({ list, download }: { list: ListControls; download: ReactNode }) {
  const text = useTexts(userTexts)
  const orders = useTexts(userOrderTexts)
  const { sortBy, sortOrder, filters } = list.state
  return (
    <div className="user-tools">
      <SearchBox label={text('search')} value={list.state.search} onSearch={list.setSearch} />
      <label className="field">
        <span className="field__label">{text('sortBy')}</span>
        <span className="row user-tools__sort">
          <select
            className="input"
            value={sortBy}
            onChange={(event) => list.sortBy(event.target.value)}
          >
            {LIST_ORDERS.users.sortable.map((id) => (
              <option key={id} value={id}>
                {orders(id)}
              </option>
            ))}
          </select>
          <button
            type="button"
            className="icon-button"
            aria-label={text(sortOrder === 'asc' ? 'ascending' : 'descending')}
            title={text(sortOrder === 'asc' ? 'ascending' : 'descending')}
            onClick={() => list.sortBy(sortBy)}
          >
            <SortIcon order={sortOrder} />
          </button>
        </span>
      </label>
      <label className="check user-tools__toggle">
        <input
          type="checkbox"
          checked={filters.percentage === 'yes'}
          onChange={(event) => list.setFilter('percentage', event.target.checked ? 'yes' : '')}
        />
        <span>{text('onlyPercentage')}</span>
      </label>
      {download}
    </div>
  )
}
