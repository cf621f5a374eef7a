/* Stands for Python's pyconfig.h of Windows, which is not installed on other systems. Only to check that the Python
 * module compiles: it has the definitions that the headers of Python need, and nothing is linked with it. */
#define MS_WINDOWS
#define MS_WIN32
#define MS_WIN64
#define NT_THREADS 1
#define HAVE_DECLSPEC_DLL 1
#define HAVE_STDDEF_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_WCHAR_H 1
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_FLOAT 4
#define SIZEOF_DOUBLE 8
#define SIZEOF_VOID_P 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_UINTPTR_T 8
#define SIZEOF_TIME_T 8
#define SIZEOF_OFF_T 4
#define SIZEOF_PID_T 8
#define SIZEOF_WCHAR_T 2
#define ALIGNOF_SIZE_T 8
