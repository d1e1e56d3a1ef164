import type { PropsWithChildren, ReactNode } from 'react'

type IconProps = { className?: string }

function Icon({ className, children }: PropsWithChildren<IconProps>) {
  return (
    <svg
      className={className ? `icon ${className}` : 'icon'}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  )
}

function icon(drawing: ReactNode) {
  return (props: IconProps) => <Icon {...props}>{drawing}</Icon>
}

export const CloseIcon = icon(<path d="m5 5 10 10M15 5 5 15" />)
export const CheckIcon = icon(<path d="m4.5 10.5 3.6 3.6L15.5 6" />)
export const WarningIcon = icon(<path d="M10 3.2 17.6 16.4H2.4ZM10 8.2v3.6M10 14v.1" />)
export const InfoIcon = icon(
  <>
    <circle cx="10" cy="10" r="7" />
    <path d="M10 9.2v4.2M10 6.5v.1" />
  </>,
)
export const CopyIcon = icon(
  <>
    <rect x="7" y="7" width="9.5" height="9.5" rx="2" />
    <path d="M13 7V5.5a2 2 0 0 0-2-2H5.5a2 2 0 0 0-2 2V11a2 2 0 0 0 2 2H7" />
  </>,
)
export const DownloadIcon = icon(<path d="M10 3.5v9M6.3 9.2 10 12.9l3.7-3.7M4 16.5h12" />)
export const ExternalIcon = icon(
  <path d="M8 5H5.5A1.5 1.5 0 0 0 4 6.5V14.5A1.5 1.5 0 0 0 5.5 16h8a1.5 1.5 0 0 0 1.5-1.5V12M11.5 4H16v4.5M16 4l-7 7" />,
)
export const SunIcon = icon(
  <>
    <circle cx="10" cy="10" r="3.2" />
    <path d="M10 2.5v1.7M10 15.8v1.7M2.5 10h1.7M15.8 10h1.7M4.7 4.7l1.2 1.2M14.1 14.1l1.2 1.2M15.3 4.7l-1.2 1.2M5.9 14.1l-1.2 1.2" />
  </>,
)
export const MoonIcon = icon(<path d="M16 11.8A6.6 6.6 0 0 1 8.2 4a6.6 6.6 0 1 0 7.8 7.8Z" />)
export const MenuIcon = icon(<path d="M3.5 6.5h13M3.5 13.5h13" />)
export const SearchIcon = icon(
  <>
    <circle cx="9" cy="9" r="5.2" />
    <path d="m13 13 3.5 3.5" />
  </>,
)
export const SortIcon = ({
  order,
  ...props
}: IconProps & { order: 'asc' | 'desc' | undefined }) => (
  <Icon {...props}>
    <path d="M6.5 8 10 4.5 13.5 8" opacity={order === 'desc' ? 0.25 : 1} />
    <path d="M6.5 12l3.5 3.5 3.5-3.5" opacity={order === 'asc' ? 0.25 : 1} />
  </Icon>
)
export const UnfoldIcon = icon(<path d="m5.5 8 4.5 4.5L14.5 8" />)
export const ArrowIcon = icon(<path d="M4 10h12M11.5 5.5 16 10l-4.5 4.5" />)
export const HomeIcon = icon(<path d="M3.5 9.2 10 3.8l6.5 5.4M5.2 8.2v7.6h9.6V8.2" />)
export const PeopleIcon = icon(
  <>
    <circle cx="7.5" cy="7" r="2.7" />
    <path d="M2.8 16c.4-2.8 2.2-4.3 4.7-4.3s4.3 1.5 4.7 4.3M12.6 4.6a2.7 2.7 0 0 1 0 4.8M14.6 12.2c1.5.6 2.4 1.9 2.7 3.8" />
  </>,
)
export const PersonIcon = icon(
  <>
    <circle cx="10" cy="7" r="3" />
    <path d="M4.2 16.4c.6-3.2 2.8-4.8 5.8-4.8s5.2 1.6 5.8 4.8" />
  </>,
)
export const ShareIcon = icon(
  <path d="M10 12.5V3.5M6.7 6.5 10 3.2l3.3 3.3M5 10v5.5a1 1 0 0 0 1 1h8a1 1 0 0 0 1-1V10" />,
)
export const CalendarIcon = icon(
  <>
    <rect x="3.5" y="5" width="13" height="11.5" rx="2" />
    <path d="M3.5 8.8h13M7 3.3V6M13 3.3V6" />
  </>,
)
export const HistoryIcon = icon(
  <path d="M3.5 10a6.5 6.5 0 1 0 2-4.7L3.5 7.2M3.5 3.5v3.7h3.7M10 6.5V10l2.5 1.5" />,
)
