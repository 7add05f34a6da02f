export const embedTexts = {
  pageTitle: 'Đăng ký quay số trực tiếp',
  frameTitle: 'Đăng ký quay số',
  loading: 'Đang tải trang đăng ký…',
  /** Specification, in English only: 'browser does not support embedding'. */
  unsupported: 'Trình duyệt không hiển thị được trang này tại đây. Bấm “Mở trong tab mới”.',
  refused: 'Trang đăng ký chưa sẵn sàng. Vui lòng quay lại sau.',
  back: 'Quay về',
  open: 'Mở trong tab mới',
  retry: 'Tải lại',
  /** A blocked page "loads" too. */
  hint: 'Không thấy nội dung?',
} as const
