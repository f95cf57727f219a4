/* Answers every line with the same short line, to measure the cost of a pipe. */
#include <string.h>
#include <unistd.h>

static char buffer[1 << 20];

int main(void) {
    static const char reply[] = "{\"type\":\"choose\",\"id\":1000,\"choice\":100}\n";
    for (;;) {
        ssize_t count = read(0, buffer, sizeof buffer);
        if (count <= 0) return 0;
        if (buffer[count - 1] == '\n' && write(1, reply, sizeof reply - 1) < 0) return 1;
    }
}
